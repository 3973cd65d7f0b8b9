import { existsSync, readdirSync } from 'node:fs';
import type { EngineFacts } from '../../core/doctor/facts.ts';
import { engineObstacle } from '../../core/topology/engine-place.ts';
import { engineEnvironment } from '../docker/engine.ts';
import { isForbidden } from '../docker/engine-failure.ts';
import { SECURITY_OPTIONS, securityOptionsIn } from '../docker/place.ts';
import { type CommandResult, runCommand } from '../process/command.ts';
import { kernelText } from './kernel-files.ts';
import { mayRaiseLimits, readOpenFilesLimit } from './open-files.ts';

/** Whether a container engine answers, and what it can give. `environment` is that of this process, as a rule. */
export async function readEngine(environment: Record<string, string | undefined>): Promise<EngineFacts> {
  const format = '{{.Server.Version}}';
  const env = engineEnvironment(environment);
  const [asked, options] = await Promise.all([
    runCommand('docker', ['version', '--format', format], { env, timeoutSeconds: 5 }),
    runCommand('docker', ['info', '--format', SECURITY_OPTIONS], { env, timeoutSeconds: 5 }),
  ]);
  if (asked.failure === null) {
    const obstacle = engineObstacle(securityOptionsIn(options.stdout));
    if (obstacle !== null) return { state: 'unusable', said: obstacle };
    const answers = { state: 'answers', version: asked.stdout.trim(), openFiles: readEngineOpenFiles() } as const;
    return (await hidesNetworks(env)) ? { ...answers, hidesNetworks: true } : answers;
  }
  return absenceOf(asked);
}

/** Whether it has bridges, and none of them is a device that this process sees. */
async function hidesNetworks(env: Record<string, string>): Promise<boolean> {
  const docker = (...args: string[]) => runCommand('docker', args, { env, timeoutSeconds: 5 });
  const ids = (await docker('network', 'ls', '--filter', 'driver=bridge', '--quiet', '--no-trunc')).stdout.split(/\s+/);
  const known = ids.filter((id) => id !== '');
  if (known.length === 0) return false;
  const format = '{{.Id}} {{index .Options "com.docker.network.bridge.name"}}';
  // One that is removed meanwhile is left out, and makes it fail: what was printed counts.
  const { stdout } = await docker('network', 'inspect', '--format', format, ...known);
  const bridges = stdout
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([id = '', name]) => (id === '' ? [] : [name ?? `br-${id.slice(0, 12)}`]));
  return bridges.length > 0 && !bridges.some((bridge) => existsSync(`/sys/class/net/${bridge}`));
}

/** What a `docker` command that failed says about the engine. */
export function absenceOf(asked: Pick<CommandResult, 'found' | 'timedOut' | 'stderr'>): EngineFacts {
  if (!asked.found) return { state: 'missing' };
  const said = asked.timedOut ? 'it did not answer within 5 s' : lastLine(asked.stderr);
  return isForbidden(said) ? { state: 'forbidden', said } : { state: 'silent', said };
}

/**
 * Most open files that a container can be given: what starts containers may raise the limit up to the kernel's own, or
 * stay within its own hard limit. Null where no engine is among the processes of this machine.
 */
export function readEngineOpenFiles(): number | null {
  const limits = daemons().map((pid) => {
    const limit = readOpenFilesLimit(pid);
    if (limit === null) return null;
    return mayRaiseLimits(pid) ? limit.kernelMost : Math.min(limit.hard, limit.kernelMost);
  });
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function daemons(): number[] {
  const names = new Set(['dockerd', 'containerd']);
  const processes = processNumbers();
  return processes.filter((pid) => names.has(kernelText(`/proc/${pid}/comm`) ?? ''));
}

/** Numbers of all processes that /proc shows; none where there is no /proc. */
function processNumbers(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.at(-1) ?? 'it gave no reason').trim().replace(/\.$/, '');
}
