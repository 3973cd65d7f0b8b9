import { availableParallelism } from 'node:os';
import type { TestbedRequest } from '../../app/ports/testbed.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { ProgramWish } from '../../core/topology/service-plan.ts';
import { machineMemoryBytes } from '../process/machine-memory.ts';
import { certificateFor } from '../tls/run-certificate.ts';
import { directoryOf } from './obstacles.ts';

/** What every program of the spec's is given. */
export function programWish({ placement, specDirectory }: TestbedRequest): ProgramWish {
  const machine = { cpuCount: availableParallelism(), memoryBytes: machineMemoryBytes() };
  return { image: null, placement, placeholders: {}, directory: specDirectory, files: {}, machine };
}

/** The same of the service and of its jobs. */
export async function serviceWish(request: TestbedRequest, placeholders: PlaceholderValues): Promise<ProgramWish> {
  const { service, specDirectory } = request;
  return {
    ...{ ...programWish(request), placeholders, directory: directoryOf(service, specDirectory) },
    ...(await certificateFor(service)),
  };
}
