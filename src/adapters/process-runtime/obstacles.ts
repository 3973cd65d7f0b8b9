import { resolve } from 'node:path';
import { type PrepareRequest, TestbedError } from '../../app/ports/testbed.ts';
import { isPartial } from '../../core/config/cpu-quota.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import type { Service } from '../../core/config/resolved.ts';
import { cpuLimitObstacle } from '../process/cpu-limit.ts';
import { networkNamespaceObstacle } from '../process/network-namespace.ts';
import { noCpuLimit } from '../process/process-group.ts';
import { findProgram } from '../process/programs.ts';

/** Folder that the service's command starts in, absolute. */
export function directoryOf({ workingDirectory }: Pick<Service, 'workingDirectory'>, specDirectory: string): string {
  return resolve(specDirectory, workingDirectory);
}

/** Why the service cannot be started as a process at all; null where it can. */
export function serviceObstacle(
  service: Service,
  { specDirectory }: Pick<PrepareRequest, 'specDirectory'>,
): TestbedError | null {
  const program = programOf(service);
  if (program === undefined) {
    return new TestbedError(
      'start-failed',
      `Service ${service.name} has no \`command\`, which the process runtime starts. Add one, or run with --runtime docker.`,
    );
  }
  const noNetwork = service.network === 'internal' ? networkNamespaceObstacle() : null;
  if (noNetwork !== null) {
    return new TestbedError(
      'start-failed',
      `Service ${service.name} has \`network: internal\`, and a process cannot be kept from the machine's network here (${noNetwork}). Run as root on Linux, or with --runtime docker, or leave the key out.`,
    );
  }
  const noLimit = isPartial(service.cpus) ? cpuLimitObstacle() : null;
  if (noLimit !== null)
    return new TestbedError('start-failed', noCpuLimit(`Service ${service.name}`, service.cpus!, noLimit));
  return programObstacle(`Service ${service.name}`, program, directoryOf(service, specDirectory));
}

/** Why one of the dependencies cannot be started as a process; null where all can. */
export function dependencyObstacle(
  dependencies: readonly Dependency[],
  { specDirectory }: Pick<PrepareRequest, 'specDirectory'>,
): TestbedError | null {
  for (const dependency of dependencies) {
    const title = `The dependency ${dependency.name}`;
    const program = programOf(dependency);
    if (program === undefined) {
      return new TestbedError(
        'start-failed',
        `${title} has no \`command\`, which the process runtime starts. Add one, or run with --runtime docker.`,
      );
    }
    const obstacle = programObstacle(title, program, specDirectory);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

function programOf({ entrypoint = [], command }: Pick<Service, 'entrypoint' | 'command'>): string | undefined {
  return [...entrypoint, ...(command ?? [])][0];
}

function programObstacle(title: string, program: string, directory: string): TestbedError | null {
  if (program.includes('${') || findProgram(program, directory) !== null) return null;
  const where = program.includes('/') ? `in ${directory}` : 'on the PATH';
  return new TestbedError(
    'start-failed',
    `${title} cannot be started: there is no program \`${program}\` ${where}. Install it, or correct its command.`,
  );
}
