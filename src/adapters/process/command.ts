import { execa } from 'execa';
import { childEnvironment } from './child-environment.ts';

export interface CommandOptions {
  cwd?: string;
  /** The whole environment; by default `childEnvironment()`. */
  env?: Record<string, string>;
  timeoutSeconds?: number;
  /** Given on standard input; by default the command finds it empty. */
  input?: string;
  signal?: AbortSignal;
  /** Called for each line of both outputs as it comes. */
  onLine?: (line: string) => void;
}

/** How a command ended. It succeeded where `failure` is null. */
export interface CommandResult {
  /** Null where it could not be started or was ended by a signal. */
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** False where there is no such program. */
  found: boolean;
  /** A sentence with what it said last. */
  failure: string | null;
}

/**
 * Runs a short command to its end; its output is kept (8 MB of each stream at most).
 * Resolves however it ended; rejects only with the signal's reason when aborted.
 */
export async function runCommand(
  program: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const command = execa(program, args, {
    env: options.env ?? childEnvironment(),
    extendEnv: false,
    input: options.input ?? '',
    reject: false,
    cleanup: true,
    forceKillAfterDelay: 2_000,
    maxBuffer: 8_000_000,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.timeoutSeconds === undefined ? {} : { timeout: options.timeoutSeconds * 1000 }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  if (options.onLine) void forwardLines(command.iterable({ from: 'all' }), options.onLine);
  const ended = await command;
  options.signal?.throwIfAborted();
  const result: Omit<CommandResult, 'failure'> = {
    exitCode: ended.exitCode ?? null,
    signal: ended.signal ?? null,
    stdout: ended.stdout,
    stderr: ended.stderr,
    timedOut: ended.timedOut,
    found: ended.code !== 'ENOENT',
  };
  return { ...result, failure: ended.failed ? sentence(program, args, result, options) : null };
}

async function forwardLines(lines: AsyncIterable<unknown>, onLine: (line: string) => void): Promise<void> {
  try {
    for await (const line of lines) onLine(String(line));
  } catch {
    // How the command ended is told by its result.
  }
}

function sentence(
  program: string,
  args: string[],
  result: Omit<CommandResult, 'failure'>,
  options: CommandOptions,
): string {
  const shown = [program, ...args.slice(0, 3)].join(' ') + (args.length > 3 ? ' …' : '');
  if (!result.found) return `${program} was not found on the PATH.`;
  const how = result.timedOut
    ? `did not end within ${options.timeoutSeconds} s`
    : result.signal
      ? `was ended by ${result.signal}`
      : result.exitCode === null
        ? 'could not be started'
        : `ended with status ${result.exitCode}`;
  const said = lastWords(result.stderr) || lastWords(result.stdout);
  return said === '' ? `\`${shown}\` ${how}.` : `\`${shown}\` ${how}: ${said}`;
}

function lastWords(output: string): string {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-3)
    .join(' / ');
}
