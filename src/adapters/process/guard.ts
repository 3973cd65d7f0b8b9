import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that outlives this process by the moment that it takes to end what this process has started. It reads what
 * there is to watch from a pipe; when the pipe closes, and the kernel closes it however we end, it ends every process
 * group that is still named and removes the folders. (A parent-death signal reaches the first process of a group only.)
 */
const SCRIPT = `
trap '' INT TERM HUP
groups='' folders=''
while read -r verb what; do
  case $verb in
    group) groups="$groups $what" ;;
    gone) kept=''; for group in $groups; do [ "$group" = "$what" ] || kept="$kept $group"; done; groups=$kept ;;
    folder) folders="$folders$what
" ;;
  esac
done
running() { for group in $groups; do kill -s 0 -- "-\${group#*:}" 2>/dev/null && return 0; done; return 1; }
for group in $groups; do kill -s "\${group%%:*}" -- "-\${group#*:}" 2>/dev/null; done
tries=0
while running && [ $tries -lt 20 ]; do tries=$((tries + 1)); sleep 0.1; done
for group in $groups; do kill -s KILL -- "-\${group#*:}" 2>/dev/null; done
printf %s "$folders" | while read -r folder; do rm -rf -- "$folder"; done
`;

let guard: ChildProcess | null = null;

export interface WatchedGroup {
  /** Process id of its leader. */
  group: number;
  /** What it is told first; SIGKILL follows after 2 s. */
  signal: 'TERM' | 'QUIT';
}

/** Names a process group that must not outlive this process. */
export function watchGroup(watched: WatchedGroup): void {
  send(`group ${watched.signal}:${watched.group}`);
}

/** Says that a group has ended, so that its number, when the kernel uses it again, is left in peace. */
export function forgetGroup(watched: WatchedGroup): void {
  send(`gone ${watched.signal}:${watched.group}`);
}

/** Names a child that leads a group of its own, where it could be started; gives what says that it has ended. */
export function watchLeader(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  const watched: WatchedGroup = { group: pid, signal: 'TERM' };
  watchGroup(watched);
  return () => forgetGroup(watched);
}

/** Names a folder that must not outlive this process. */
export function watchFolder(path: string): void {
  send(`folder ${path}`);
}

/** Starts what watches: before something is started that is to be named at once, since starting this takes longer than a kill. */
export function standGuard(): ChildProcess {
  guard ??= start();
  return guard;
}

function send(line: string): void {
  standGuard().stdin?.write(`${line}\n`);
}

function start(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    // A session of its own: Ctrl-C at the terminal and the end of our group must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    cwd: '/',
  });
  // Without it everything works but the end of a killed run: then the next start sweeps.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.unref();
  // A pipe to a child is a socket; it must not keep this process alive either.
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}
