import { childEnvironment } from '../process/child-environment.ts';
import { type CommandResult, runCommand } from '../process/command.ts';
import { trustOf } from './trust.ts';

/** The one place where baselines start git. */
export interface GitCall {
  /** Of a single command; 30 s by default. */
  timeoutSeconds?: number;
  signal?: AbortSignal;
  /** `name=value` for this command alone. */
  config?: string[];
  env?: Record<string, string>;
  /** On standard input. */
  input?: string | Uint8Array;
  /** 8 MB by default. */
  maxOutputBytes?: number;
}

export type GitResult = Omit<CommandResult, 'stdout' | 'stderr'> & {
  stdout: string;
  /** What git said in the end, without user names and passwords of addresses; '' where it succeeded. */
  said: string;
  /** All of that, for who looks for certain words; '' where it succeeded. */
  heard: string;
};

/** Never wanted, whoever has set them up; see `trustOf` for those of a repository that is another user's. */
const NO_PROGRAMS = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'gc.auto=0', 'maintenance.auto=false'];

/** How this user reaches the servers that submodules come from. */
const WAYS_OUT = [
  ...['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy'],
  ...['SSH_AUTH_SOCK', 'GIT_SSL_CAINFO', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'XDG_CONFIG_HOME'],
];

/** Resolves however git ends; rejects only with the signal's reason. */
export async function git(directory: string, args: string[], call: GitCall = {}): Promise<GitResult> {
  const { args: all, env } = await invocation(directory, args, call);
  const { stdout, stderr, ...result } = await runCommand('git', all, {
    env,
    timeoutSeconds: call.timeoutSeconds ?? 30,
    ...(call.input === undefined ? {} : { input: call.input }),
    ...(call.maxOutputBytes === undefined ? {} : { maxOutputBytes: call.maxOutputBytes }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  if (result.failure === null) return { ...result, stdout, said: '', heard: '' };
  return { ...result, stdout, said: reasonOf(stderr, result, call), heard: withoutCredentials(stderr) };
}

/** Arguments and environment that git is always started with. */
export async function invocation(
  directory: string,
  args: readonly string[],
  call: Pick<GitCall, 'config' | 'env'> = {},
): Promise<{ args: string[]; env: Record<string, string> }> {
  const trust = await trustOf(directory);
  const trusted = trust.directories.map((folder) => `safe.directory=${folder}`);
  const config = [...trusted, ...NO_PROGRAMS, ...(call.config ?? [])].flatMap((setting) => ['-c', setting]);
  return {
    args: [...config, '-C', directory, ...args],
    env: childEnvironment(
      {
        // Sentences are matched and shown; nobody is there to answer a question; no index is refreshed behind its owner.
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        GIT_ASKPASS: '/bin/false',
        SSH_ASKPASS: '/bin/false',
        GIT_OPTIONAL_LOCKS: '0',
        ...call.env,
        ...trust.environment,
      },
      WAYS_OUT,
    ),
  };
}

function reasonOf(stderr: string, { timedOut, found }: Pick<CommandResult, 'timedOut' | 'found'>, call: GitCall) {
  if (!found) return 'git was not found on the PATH';
  if (timedOut) return `git did not end within ${call.timeoutSeconds ?? 30} s`;
  return saidInTheEnd(stderr);
}

/** What git said of its failure, without user names and passwords of addresses. */
export function saidInTheEnd(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^(hint|warning):/.test(line));
  const line = lines.find((text) => /^(fatal|error): /.test(text)) ?? lines.at(-1) ?? 'git gave no reason';
  const said = withoutCredentials(line.replace(/^(fatal|error): /, '').trim()).replace(/\.$/, '');
  return UNREADABLE_HOME.test(said)
    ? `${said}. HOME is a folder that this user may not read: set it to one of your own`
    : said;
}

/** git reads the user's own configuration before anything else, and ends where it may not. */
const UNREADABLE_HOME = /^unable to access '[^']*\/(?:\.gitconfig|\.?config\/git\/config)': Permission denied$/;

/** `https://me:token@host/x` → `https://host/x` */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]+@/gi, '$1');
}
