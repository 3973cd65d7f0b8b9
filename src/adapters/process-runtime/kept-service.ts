import type { TestbedRequest } from '../../app/ports/testbed.ts';
import { readingEndpoints } from '../../core/config/writes.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import type { ServiceBeforeData } from '../prepare/restored-data.ts';
import { type PartProcess, startProcess } from './part-process.ts';

/** A service whose data are put back; `part` is what stands there, whichever start of it that is. */
export function keptService(
  part: PartProcess,
  plan: PartPlan,
  { request, newId }: { request: TestbedRequest; newId(): string },
  pooler: PartProcess | null,
): ServiceBeforeData {
  const { service, spec } = request;
  return {
    service,
    reading: readingEndpoints(spec.endpoints, service),
    origin: () => part.origin,
    async answers(timeoutSeconds, signal) {
      await pooler?.ready(signal);
      await part.ready(signal, timeoutSeconds);
    },
    async restart(signal) {
      await part.stop();
      // At the same ports: others were told them.
      Object.assign(part, await startProcess(plan, { ...part.seat, id: newId() }, signal));
      await part.ready(signal);
    },
  };
}
