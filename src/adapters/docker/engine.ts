import { execa } from 'execa';
import { withoutColours } from '../../core/format/text.ts';
import { standGuard, watchLeader } from '../process/guard.ts';
import { EngineFailure, unavailability } from './engine-failure.ts';
import { hasLoginIn } from './logins.ts';

/** The one place where the `docker` command is started. */
export interface Engine {
  /**
   * One call; resolves to what it printed. Rejects with `TestbedError` 'engine-unavailable' where no engine answers, with
   * `EngineFailure` where it says no, and with the signal's reason when aborted.
   */
  call(args: string[], options?: CallOptions): Promise<EngineOutput>;
  /** Whether the command has a login for a registry; absent where that is not known. */
  hasLogin?(registry: string): Promise<boolean>;
}

interface EngineOutput {
  stdout: string;
  /** Both streams, in the order that they came. */
  all: string;
}

interface CallOptions {
  /**
   * Ends the command, which then ends as well where this process is killed. Only for calls whose half does no harm (pull, build,
   * logs): a `create` that is ended in the middle may still be carried out by the engine, after everything has been removed.
   */
  signal?: AbortSignal;
  timeoutSeconds?: number;
  /** Each line of both streams as it comes. */
  onLine?(line: string): void;
  /** Given on standard input; by default the command finds it empty. */
  input?: string | Uint8Array;
  /** Added to the environment of the command. */
  env?: Record<string, string>;
}

/** Nothing that an engine is asked for takes as long, unless it hangs; builds and pulls name a time of their own. */
const CALL_TIMEOUT_SECONDS = 60;

/** `environment` is what the allowlist is applied to: that of this process, as a rule. */
export function createEngine(environment: Record<string, string | undefined>): Engine {
  const allowed = engineEnvironment(environment);
  return {
    hasLogin: (registry) => hasLoginIn(allowed, registry),
    async call(args, options = {}) {
      options.signal?.throwIfAborted();
      const eachLine = function* (line: unknown) {
        options.onLine?.(withoutColours(String(line)));
        yield line;
      };
      if (options.signal) standGuard();
      const command = execa('docker', args, {
        env: { ...allowed, ...options.env },
        extendEnv: false,
        reject: false,
        all: true,
        ...(options.input === undefined ? { stdin: 'ignore' } : { input: options.input }),
        ...(options.onLine ? { stdout: eachLine, stderr: eachLine } : {}),
        // Ctrl-C goes to the whole process group of the terminal: a `create` must not be cut in half by it.
        detached: true,
        timeout: (options.timeoutSeconds ?? CALL_TIMEOUT_SECONDS) * 1000,
        ...(options.signal ? { cancelSignal: options.signal } : {}),
      });
      const result = await command.finally(options.signal ? watchLeader(command.pid) : undefined);
      const all = withoutColours(result.all ?? '');
      if (!result.failed) return { stdout: result.stdout, all };
      options.signal?.throwIfAborted();
      const said = result.timedOut
        ? `It did not answer within ${options.timeoutSeconds ?? CALL_TIMEOUT_SECONDS} s.`
        : withoutColours(result.stderr ?? '').trim() || all.trim() || (result.shortMessage ?? '');
      const missing = 'code' in result && result.code === 'ENOENT';
      throw unavailability(said, missing, allowed.DOCKER_HOST ?? null) ?? new EngineFailure(args, said, all);
    },
  };
}

/** The agent is what lets it in where the engine is behind `ssh://`. */
const NEEDED = new Set(['PATH', 'HOME', 'SSH_AUTH_SOCK']);

/**
 * What the `docker` command may see: enough for contexts, credentials, TLS and SSH, nothing of the job's own secrets. Its
 * telemetry endpoint is left out, its hints are switched off.
 */
export function engineEnvironment(environment: Record<string, string | undefined>): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const wanted = NEEDED.has(name) || (name.startsWith('DOCKER_') && !name.includes('OTEL'));
    if (wanted && value !== undefined) allowed[name] = value;
  }
  return { ...allowed, DOCKER_CLI_HINTS: 'false', BUILDKIT_PROGRESS: 'plain' };
}
