import { spawn } from 'node:child_process';
import type { SyscallCounter } from '../../app/ports/syscalls.ts';
import { SYSCALL_EVENT, syscallFilter, syscallsIn } from '../../core/measurement/syscalls.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { findProgram } from '../process/programs.ts';
import { asRoot } from '../process/root-command.ts';

/** Perf attaches to each thread before it starts a command; the pause leaves it time to switch its counters on. */
const READY = 'sleep 0.05; echo ready; exec cat >/dev/null';
/** To attach, and to let go again: the kernel waits for all CPUs before a tracepoint is off. */
const PATIENCE_MS = 10_000;

const INSTALL = '`sudo apt-get install linux-perf` on Debian, `linux-tools-$(uname -r)` on Ubuntu';

/** `perf stat`, which the kernel's own tracepoint counts for. Its command ends with our end of a pipe, and it with that. */
export function perfSyscallCounter(): SyscallCounter {
  let known: Promise<string | null> | null = null;
  return {
    obstacle() {
      known ??= obstacleHere();
      return known;
    },
    async count(pids, during) {
      const perf = pids.length === 0 ? null : await attached(pids);
      try {
        await during();
      } finally {
        perf?.letGo();
      }
      return perf === null ? null : await perf.counted;
    },
  };
}

async function obstacleHere(): Promise<string | null> {
  if (process.platform !== 'linux') return 'System calls are not counted: perf counts them on Linux alone.';
  if (syscallFilter(process.arch) === null)
    return `System calls are not counted: their numbers on ${process.arch} are not known, only those on x64 and arm64.`;
  if ((await findProgram('perf')) === null)
    return `System calls are not counted: perf is not on this machine. Install it: ${INSTALL}.`;
  const perf = await attached([process.pid]);
  perf?.letGo();
  if (perf !== null && (await perf.counted) !== null) return null;
  return (
    'System calls are not counted: perf may not count raw_syscalls:sys_exit here. It needs root or a sudo that asks for no password, ' +
    `tracefs (\`sudo mount -t tracefs nodev /sys/kernel/tracing\`) and the perf of the running kernel (${INSTALL}).`
  );
}

interface Attached {
  letGo(): void;
  counted: Promise<number | null>;
}

/** Null where perf ended, or did not get ready in time. */
async function attached(pids: readonly number[]): Promise<Attached | null> {
  const filter = syscallFilter(process.arch);
  if (filter === null) return null;
  const options = ['stat', '-x', ',', '-e', SYSCALL_EVENT, '--filter', filter, '-p', pids.join(',')];
  const [program, ...args] = asRoot(['perf', ...options, '--', 'sh', '-c', READY]);
  const child = spawn(program, args, { env: { ...childEnvironment(), LC_ALL: 'C' }, stdio: 'pipe' });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // It may be gone before its command was asked to end.
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (exitCode) => resolve(exitCode));
  });
  const letGo = () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    void ended.then(() => clearTimeout(timer));
  };
  if (!(await isReady(child.stdout, ended))) {
    letGo();
    await ended;
    return null;
  }
  return { letGo, counted: ended.then((exitCode) => (exitCode === 0 ? syscallsIn(said) : null)) };
}

function isReady(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    const answer = (ready: boolean) => {
      clearTimeout(timer);
      resolve(ready);
    };
    output.once('data', () => answer(true));
    void ended.then(() => answer(false));
  });
}
