import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { JobStep } from '../../core/config/prepare.ts';
import { jobPlan } from '../../core/topology/job-plan.ts';
import { servicePlan } from '../../core/topology/service-plan.ts';
import type { JobEnd, PrepareHost } from '../prepare/host.ts';
import type { NetworkNamespace } from '../process/network-namespace.ts';
import { ERROR_LOG_LINES } from '../process/part.ts';
import type { ProcessGroup } from '../process/process-group.ts';
import { startProcess } from './part-process.ts';
import { serviceWish } from './program-wish.ts';
import { seatPorts } from './seat-ports.ts';

export interface PrepareHostPlan {
  request: TestbedRequest;
  newId(): string;
  /** Of what the service is prepared beside. */
  placeholders: PlaceholderValues;
  sql: PrepareHost['sql'];
  /** Of its side; null for that of this machine. */
  network: NetworkNamespace | null;
}

export function processPrepareHost({ request, newId, placeholders, sql, network }: PrepareHostPlan): PrepareHost {
  const { service, spec } = request;
  const wish = serviceWish(request, placeholders);
  return {
    service,
    sql,
    async job(step, _number, signal) {
      if (step.image !== undefined) throw ofContainersAlone(step.image);
      const seat = { id: newId(), port: service.port, network };
      const job = await startProcess(jobPlan(service, step, wish), seat, signal);
      try {
        return await ended(job.group, step, signal);
      } finally {
        await job.stop();
      }
    },
    async start(signal) {
      const planned = servicePlan(service, spec.endpoints, wish);
      const seat = { ...(await seatPorts(service, planned.title, { network })), network };
      const part = await startProcess(planned, { id: newId(), ...seat }, signal);
      try {
        await part.ready(signal);
      } catch (error) {
        await part.stop();
        throw error;
      }
      const { origin, group, stop } = part;
      return { origin, logLines: async () => group.lastLines(ERROR_LOG_LINES), stop };
    },
  };
}

function ofContainersAlone(image: string): TestbedError {
  return new TestbedError(
    'start-failed',
    `it names an image (${image}), which the process runtime does not start. Run with --runtime docker, or leave the image out.`,
  );
}

const POLL_MS = 20;
/** Of what a job prints: it lies on the disk of the machine. */
const MOST_PRINTED_BYTES = 64 * 1024 ** 2;

async function ended(group: ProcessGroup, { timeoutSeconds }: JobStep, signal: AbortSignal): Promise<JobEnd> {
  const failure = await failureIn(group, timeoutSeconds, signal);
  return { failure, logLines: failure === null ? [] : group.lastLines(ERROR_LOG_LINES) };
}

/** The rest of a sentence where it did not do what it should; null where it ended with status 0. */
async function failureIn(group: ProcessGroup, timeoutSeconds: number, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  while (group.exit() === null) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    if (performance.now() > deadline) return `did not end within ${timeoutSeconds} s, and was ended`;
    if (group.printedBytes() > MOST_PRINTED_BYTES) {
      return `printed more than ${MOST_PRINTED_BYTES / 1024 ** 2} MiB, and was ended`;
    }
  }
  const { outOfMemory, words } = group.ending()!;
  return group.exit()?.code === 0 && !outOfMemory ? null : words;
}
