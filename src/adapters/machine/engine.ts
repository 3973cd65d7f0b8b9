import { readdirSync } from 'node:fs';
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
    return { state: 'answers', version: asked.stdout.trim(), openFiles: readEngineOpenFiles() };
  }
  return absenceOf(asked);
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
