import type { JobStep } from '../../core/config/prepare.ts';
import { size } from '../../core/format/figures.ts';
import { jobPlan } from '../../core/topology/job-plan.ts';
import { type ProgramWish, servicePlan } from '../../core/topology/service-plan.ts';
import { originOf } from '../../core/values/protocol.ts';
import type { JobEnd, PrepareHost, StartedService } from '../prepare/host.ts';
import { type ContainerState, inspectContainers, logsOf } from './containers.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { type PartFrame, startWithinLimits } from './part.ts';
import { ERROR_LOG_LINES } from './part-end.ts';
import { createPart, startPlanned, waitForPart } from './planned-part.ts';
import { removeContainers, stopContainer } from './removal.ts';
import { type ReachedParts, serviceSeat, serviceWish } from './service-seat.ts';
import type { TestbedPlan } from './testbed-parts.ts';

export interface PrepareHostPlan extends Pick<TestbedPlan, 'request' | 'names' | 'imageOf'> {
  frame: PartFrame;
  /** What the service is prepared beside. */
  reached: ReachedParts;
  sql: PrepareHost['sql'];
}

/** Jobs are containers of their own, made as the service's is; each is gone when its step has ended. */
export function dockerPrepareHost(engine: Engine, plan: PrepareHostPlan): PrepareHost {
  return {
    service: plan.request.service,
    sql: plan.sql,
    job: (step, number, signal) => runJob(engine, plan, step, number, signal),
    start: (signal) => startPrepared(engine, plan, signal),
  };
}

async function startPrepared(engine: Engine, plan: PrepareHostPlan, signal: AbortSignal): Promise<StartedService> {
  const { service, spec } = plan.request;
  const container = `${plan.names.base}-prepare-service`;
  const stop = async () => {
    await stopContainer(engine, container);
    await removeContainers(engine, [container]);
  };
  try {
    const planned = servicePlan(service, spec.endpoints, await serviceWish(plan, plan.reached));
    const seat = serviceSeat(plan, container, plan.reached);
    const part = await startPlanned(engine, planned, seat, plan.frame);
    try {
      await waitForPart(engine, part, planned, seat.network, signal);
      const origin = originOf(service.protocol, part.state.addresses[seat.network] ?? '', service.port);
      return { origin, logLines: () => logsOf(engine, container, ERROR_LOG_LINES), stop };
    } finally {
      part.meter.close();
    }
  } catch (error) {
    await removeContainers(engine, [container]);
    throw error;
  }
}

async function runJob(
  engine: Engine,
  plan: PrepareHostPlan,
  step: JobStep,
  number: number,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { timeoutSeconds } = step;
  const container = `${plan.names.base}-prepare-job-${number}`;
  const seat = serviceSeat(plan, container, plan.reached);
  try {
    const own = await serviceWish(plan, plan.reached);
    const wish: ProgramWish = step.image === undefined ? own : { ...own, image: plan.imageOf(step.image), files: {} };
    const planned = jobPlan(plan.request.service, step, wish);
    const create = () => createPart(engine, planned, seat, plan.frame);
    await create();
    await startWithinLimits(engine, container, plan.frame, create);
    const ended = await waitForEnd(engine, container, timeoutSeconds, signal);
    const failure = ended === 'late' ? `did not end within ${timeoutSeconds} s, and was ended` : failureIn(ended);
    return { failure, logLines: failure === null ? [] : await logsOf(engine, container, ERROR_LOG_LINES) };
  } finally {
    await removeContainers(engine, [container]);
  }
}

/** `late` where its time was over before; undefined where it is gone. */
async function waitForEnd(
  engine: Engine,
  container: string,
  seconds: number,
  signal: AbortSignal,
): Promise<ContainerState | 'late' | undefined> {
  const over = AbortSignal.timeout(seconds * 1000);
  try {
    const call = { signal: AbortSignal.any([signal, over]), timeoutSeconds: seconds + 60 };
    await engine.call(['container', 'wait', container], call);
  } catch (error) {
    signal.throwIfAborted();
    if (over.aborted) return 'late';
    if (!(error instanceof EngineFailure)) throw error;
  }
  const [state] = await inspectContainers(engine, [container]);
  return state;
}

function failureIn(state: ContainerState | undefined): string | null {
  if (state === undefined) return 'was removed by somebody else while it ran';
  const { exitCode, oomKilled, memoryBytes } = state;
  if (oomKilled) {
    const limit = memoryBytes === null ? '' : `: its limit is ${size(memoryBytes)}, that of the service`;
    return `ran out of memory${limit}`;
  }
  return exitCode === 0 ? null : `exited with status ${exitCode}`;
}
