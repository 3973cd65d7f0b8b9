import type { PrepareStep } from '../../core/config/prepare.ts';
import { requestCount, stepOfText } from '../../core/config/prepare-texts.ts';
import { stepsFor } from '../../core/config/service-steps.ts';
import { counted, grouped } from '../../core/format/figures.ts';
import { redactedSpec } from '../../core/record/redaction.ts';
import type { Clock } from '../ports/machine.ts';
import type { BusyTask, Progress } from '../ports/progress.ts';
import type { TestbedActivity, TestbedRequest, TestbedRuntime } from '../ports/testbed.ts';

/** What the testbeds of a run are busy with besides starting, as it is told, and how long they were prepared. */
export interface Preparing {
  /** The same runtime, which tells what its testbeds are busy with. */
  told(runtime: TestbedRuntime): TestbedRuntime;
  /** Nanoseconds of wall clock so far, while the data of one side or of both were made. */
  ns(): number;
}

/** Requests are answered faster than anybody reads. */
const LEAST_NS_BETWEEN_COUNTS = 1e9;

/** `hasTwoSides`: whether it is said which one is busy. */
export function preparingOf(
  progress: Pick<Progress, 'busy'>,
  clock: Pick<Clock, 'monotonicNs'>,
  hasTwoSides: boolean,
): Preparing {
  const underWay = new Set<object>();
  let beganNs = 0;
  let endedNs = 0;
  const prepares = (testbed: object, isSo: boolean) => {
    const before = underWay.size;
    if (isSo) underWay.add(testbed);
    else underWay.delete(testbed);
    if (before === 0 && underWay.size > 0) beganNs = clock.monotonicNs();
    if (before > 0 && underWay.size === 0) endedNs += clock.monotonicNs() - beganNs;
  };
  const listener = (request: TestbedRequest) => {
    const side = hasTwoSides ? request.variant : null;
    let isBusy = false;
    let toldNs = Number.NEGATIVE_INFINITY;
    return (activity: TestbedActivity | null) => {
      if (activity === null && !isBusy) return;
      isBusy = activity !== null;
      prepares(request, activity?.kind === 'prepare' || activity?.kind === 'snapshot');
      const nowNs = clock.monotonicNs();
      const isCount = activity?.kind === 'prepare' && activity.answered !== undefined;
      if (isCount && nowNs - toldNs < LEAST_NS_BETWEEN_COUNTS) return;
      if (isCount) toldNs = nowNs;
      progress.busy(side, activity === null ? null : taskOf(activity, request));
    };
  };
  return {
    told: (runtime) => ({
      ...runtime,
      async start(request, signal) {
        const onActivity = listener(request);
        try {
          return await runtime.start({ ...request, onActivity }, signal);
        } finally {
          onActivity(null);
        }
      },
    }),
    ns: () => endedNs + (underWay.size > 0 ? clock.monotonicNs() - beganNs : 0),
  };
}

/** By the spec as a record has it: neither what was filled in nor a password in a command is anybody's to read. */
function taskOf(activity: TestbedActivity, { spec, service }: TestbedRequest): BusyTask {
  const preparing = `preparing ${service.name}`;
  switch (activity.kind) {
    case 'prepare': {
      const steps = stepsFor(redactedSpec(spec), service);
      const step = steps[activity.step - 1]!;
      return {
        title: preparing,
        what: stepOfText(step, activity.step, steps.length),
        ...answeredOf(step, activity.answered),
      };
    }
    case 'snapshot':
      return { title: preparing, what: 'taking a snapshot of the data' };
    case 'restore':
      return { title: service.name, what: 'putting the data back', isFrequent: true };
    case 'login':
      return { title: service.name, what: `logging in${usersOf(spec.login?.users)}`, isFrequent: true };
  }
}

function answeredOf(step: PrepareStep, answered: number | undefined): Pick<BusyTask, 'count'> {
  const all = requestCount(step);
  return all === null || answered === undefined ? {} : { count: `${grouped(answered)} of ${grouped(all)}` };
}

function usersOf(users = 1): string {
  return users === 1 ? '' : ` ${counted(users, 'user')}`;
}
