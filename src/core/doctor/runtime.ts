import type { EngineFacts, MachineFacts } from './facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { asRoot, engineInstallation } from './installation.ts';
import type { MachineNeeds } from './needs.ts';

export type WantedRuntime = 'docker' | 'process' | 'auto';
export type Runtime = 'docker' | 'process';

/**
 * The runtime that a run takes. `auto`: containers where an engine answers and every service has an image, else
 * processes where every service has a command and may have the machine's network; where neither can be, the one that the spec
 * is written for.
 */
export function runtimeOf(needs: MachineNeeds, facts: MachineFacts, wanted: WantedRuntime): Runtime {
  if (wanted !== 'auto') return wanted;
  const containers = needs.withoutImage.length === 0;
  if (containers && facts.engine.state === 'answers' && facts.platform === 'linux') return 'docker';
  const apart = needs.internal.length === 0 || facts.rights.separatesNetworks;
  return needs.withoutCommand.length === 0 && apart ? 'process' : 'docker';
}

/** What the platform and the engine allow, for the runtime that was chosen. */
export function runtimeFindings(
  needs: MachineNeeds,
  facts: MachineFacts,
  wanted: WantedRuntime,
  runtime: Runtime,
): Finding[] {
  const platform = platformFinding(facts, runtime);
  if (platform.severity === 'problem') return [platform];
  return [
    platform,
    engineFinding(facts, wanted, runtime),
    startFinding(needs, runtime),
    internalFinding(needs, facts, runtime),
    cpuTimeFinding(needs, facts, runtime),
  ].filter((finding) => finding !== null);
}

function platformFinding({ platform, architecture, os }: MachineFacts, runtime: Runtime): Finding {
  if (platform === 'linux') {
    const known = architecture === 'x64' || architecture === 'arm64';
    return known
      ? ok('platform', `${os.name}, ${architecture === 'x64' ? 'x86-64' : 'arm64'}`)
      : warning('platform', `wrkbench is tried on x86-64 and arm64; this is ${architecture}.`, null);
  }
  if (platform === 'darwin' && runtime === 'process') {
    return warning(
      'platform',
      'macOS is meant to run services as processes (--runtime process), and was not tried; containers and their figures need Linux.',
      null,
    );
  }
  if (platform === 'darwin') {
    return problem(
      'platform',
      'On macOS services run as processes only (--runtime process, with a command for each service in the spec): containers have no address there that a generator reaches.',
      null,
    );
  }
  const where =
    platform === 'win32' ? 'Windows itself: use it inside WSL 2, where all of it works' : `${platform}: use Linux`;
  return problem(
    'platform',
    `wrkbench does not run on ${where}.`,
    platform === 'win32' ? 'wsl --install -d Debian' : null,
  );
}

function engineFinding(facts: MachineFacts, wanted: WantedRuntime, runtime: Runtime): Finding | null {
  const { engine } = facts;
  if (engine.state === 'answers') return runtime === 'docker' ? ok('engine', `Docker ${engine.version}`) : null;
  if (runtime === 'docker') return problem('engine', absence(engine), remedy(facts));
  if (wanted === 'process' || facts.platform !== 'linux') return null;
  return warning('engine', `${absence(engine)} Services run as processes instead.`, remedy(facts));
}

function absence(engine: Exclude<EngineFacts, { state: 'answers' }>): string {
  switch (engine.state) {
    case 'missing':
      return 'There is no docker command on this machine.';
    case 'forbidden':
      return 'This user may not use the Docker engine.';
    case 'silent':
      return `No Docker engine answers (${engine.said}).`;
    case 'unusable':
      return engine.said;
  }
}

/** Null where the sentence says it. */
function remedy(facts: MachineFacts): string | null {
  switch (facts.engine.state) {
    case 'forbidden':
      return 'sudo usermod -aG docker "$USER" && newgrp docker';
    case 'silent':
      return asRoot(facts, 'systemctl start docker || (dockerd >/dev/null 2>&1 &)');
    case 'unusable':
      return null;
    default:
      return engineInstallation(facts);
  }
}

/** A service that cannot be started in this runtime at all. */
function startFinding(needs: MachineNeeds, runtime: Runtime): Finding | null {
  const without = runtime === 'docker' ? needs.withoutImage : needs.withoutCommand;
  if (without.length === 0) return null;
  const names = without.join(', ');
  return runtime === 'docker'
    ? problem(
        'services',
        `Without an image or a build in the spec there is no container for: ${names}. Add one, or use --runtime process.`,
        null,
      )
    : problem(
        'services',
        `Without a command in the spec there is no process for: ${names}. Add one, or use --runtime docker.`,
        null,
      );
}

/** A process has the network of the machine, but for root. */
function internalFinding({ internal }: MachineNeeds, { rights }: MachineFacts, runtime: Runtime): Finding | null {
  if (runtime === 'docker' || internal.length === 0 || rights.separatesNetworks) return null;
  return problem(
    'network',
    `A process cannot be kept from the machine's network here, which \`network: internal\` in the spec asks for: ${internal.join(', ')}. Run as root on Linux with the command ip (iproute2), use --runtime docker, or leave the key out.`,
    null,
  );
}

/** An engine says itself whether it can, when the service starts. */
function cpuTimeFinding({ partsOfCpu }: MachineNeeds, { rights }: MachineFacts, runtime: Runtime): Finding | null {
  if (runtime === 'docker' || partsOfCpu.length === 0 || rights.limitsCpuTime) return null;
  return problem(
    'cpu-time',
    `The CPU time of processes cannot be limited here, which a part of a CPU (\`cpus\`) in the spec asks for: ${partsOfCpu.join(', ')}. Run as root on Linux, use --runtime docker, or give whole CPUs.`,
    null,
  );
}
