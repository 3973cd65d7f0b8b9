import { counted } from '../format/figures.ts';
import { shellWord } from '../format/shell-word.ts';
import type { MachineFacts } from './facts.ts';
import { count, type Finding, ok, problem, size, warning } from './finding.ts';
import { asRoot } from './installation.ts';
import type { MachineNeeds } from './needs.ts';
import type { Runtime } from './runtime.ts';

/** Open files, of the generator here and of the server where it runs. */
export function openFilesFindings(needs: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding[] {
  const { generator, service, gateway } = needs.openFiles;
  const server = needs.gateway ? gateway : service;
  const here = runtime === 'process' ? Math.max(generator, server) : generator;
  const findings = [openFilesHere(here, needs, facts)];
  if (runtime === 'docker') findings.push(openFilesInContainers(server, needs, facts));
  for (const { service: name, openFiles } of needs.narrowServices) {
    findings.push(
      warning(
        'service-open-files',
        `The service ${name} may open ${counted(openFiles, 'file')} and has ${counted(needs.connections, 'connection')} to hold. Raise its open-files in the spec, or leave it out.`,
        null,
      ),
    );
  }
  return findings.filter((finding) => finding !== null);
}

function openFilesHere(needed: number, { connections }: MachineNeeds, facts: MachineFacts): Finding | null {
  if (facts.openFiles === null) return null;
  const { hard, kernelMost } = facts.openFiles;
  const why = `${counted(connections, 'connection')} need ${counted(needed, 'open file')}`;
  if (hard >= needed)
    return ok('open-files', `${why}; ${Number.isFinite(hard) ? `the limit is ${count(hard)}` : 'there is no limit'}`);
  if (facts.rights.raisesLimits && kernelMost >= needed) {
    return ok('open-files', `${why}; the limit is ${count(hard)}, and wrkbench raises it itself`);
  }
  const short = `${why}; the hard limit of this shell is ${count(hard)}`;
  if (facts.rights.root && !facts.rights.raisesLimits) {
    return problem(
      'open-files',
      `${short}, and this root may not raise it (no CAP_SYS_RESOURCE). Raise it outside, where this machine or container is started (docker run --ulimit nofile=${needed}:${needed}), or measure fewer connections.`,
      null,
    );
  }
  const most = kernelMost < needed ? `${asRoot(facts, `sysctl -w fs.nr_open=${needed}`)} && ` : '';
  const raise = asRoot(facts, `prlimit --pid $$ --nofile=${needed}:${needed}`);
  return problem('open-files', `${short}. Raise it in the shell that starts wrkbench:`, most + raise);
}

function openFilesInContainers(needed: number, { connections }: MachineNeeds, facts: MachineFacts): Finding | null {
  if (facts.engine.state !== 'answers' || facts.engine.openFiles === null) return null;
  const most = facts.engine.openFiles;
  if (most >= needed) return ok('container-open-files', `the engine gives a container up to ${count(most)}`);
  const short = `${counted(connections, 'connection')} need ${counted(needed, 'open file')} in a container; the engine can give ${count(most)}`;
  if (facts.rights.root && !facts.rights.raisesLimits) {
    return problem(
      'container-open-files',
      `${short}, and this root may not raise it (no CAP_SYS_RESOURCE). Start the engine where limits are higher, or measure fewer connections.`,
      null,
    );
  }
  return problem(
    'container-open-files',
    `${short}. Raise the engine's own limit:`,
    asRoot(facts, `for pid in $(pidof dockerd containerd); do prlimit --pid $pid --nofile=${needed}:${needed}; done`),
  );
}

export function coresFinding({ cpu }: MachineFacts): Finding {
  if (cpu.quota !== null && cpu.quota < cpu.usable) {
    return warning(
      'cores',
      `${counted(cpu.usable, 'CPU')} are there, and a quota stops everything after ${cpu.quota.toFixed(1)} of them are used: latencies show its pauses. Start this container with whole CPUs (docker run --cpuset-cpus instead of --cpus).`,
      null,
    );
  }
  if (cpu.usable > 1) return ok('cores', `${counted(cpu.usable, 'CPU')} (${cpu.model})`);
  return warning(
    'cores',
    'There is one CPU: the generator shares it with what it measures, and every result shows both. Use a machine with 2 CPUs or more.',
    null,
  );
}

export function diskFinding({ outputBytes }: MachineNeeds, { output, rights }: MachineFacts): Finding | null {
  if (!output.writable) {
    return problem(
      'disk',
      `${output.path} cannot be written. Name another folder with --out, or make it yours:`,
      rights.root
        ? `mount -o remount,rw "$(df --output=target ${shellWord(output.path)} | tail -n 1)"`
        : `sudo chown "$USER" ${shellWord(output.path)}`,
    );
  }
  if (output.availableBytes === null) return null;
  const free = `${size(output.availableBytes)} free in ${output.path}`;
  const needed = `the run leaves up to ${size(outputBytes)}`;
  const remedy = 'Free some, or name a folder on another disk with --out.';
  if (output.availableBytes < outputBytes)
    return problem('disk', `${free}; ${needed}. ${remedy}`, largest(output.path));
  if (output.availableBytes < 4 * outputBytes)
    return warning('disk', `${free}; ${needed}. ${remedy}`, largest(output.path));
  return ok('disk', `${free}; ${needed}`);
}

export function memoryFinding({ memoryBytes }: MachineNeeds, { memory }: MachineFacts): Finding {
  const free = `${size(memory.availableBytes)} of memory available`;
  const needed = `service, database and generator may take ${size(memoryBytes)}`;
  if (memory.availableBytes >= memoryBytes) return ok('memory', `${free}; ${needed}`);
  return warning(
    'memory',
    `${free}; ${needed}. End what else runs, or lower memory and shared_buffers in the spec.`,
    'ps -eo rss,pid,comm --sort=-rss | head -n 10',
  );
}

/** Postgres keeps what parallel workers share there. An engine gives each container its own. */
export function sharedMemoryFinding(needs: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding | null {
  const least = 64 * 1024 ** 2;
  if (!needs.database || runtime === 'docker' || facts.platform !== 'linux') return null;
  if (facts.sharedMemoryBytes === null) {
    return warning(
      'shared-memory',
      '/dev/shm is not there, and Postgres keeps what its workers share in it.',
      asRoot(facts, 'mount -t tmpfs -o size=256m tmpfs /dev/shm'),
    );
  }
  if (facts.sharedMemoryBytes >= least) return ok('shared-memory', `${size(facts.sharedMemoryBytes)} free in /dev/shm`);
  return warning(
    'shared-memory',
    `${size(facts.sharedMemoryBytes)} free in /dev/shm; Postgres wants ${size(least)} for parallel queries.`,
    asRoot(facts, 'mount -o remount,size=256m /dev/shm'),
  );
}

function largest(path: string): string {
  return `du -xh --max-depth=1 ${shellWord(path)} | sort -rh | head -n 10`;
}
