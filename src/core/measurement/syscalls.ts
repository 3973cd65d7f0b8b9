/**
 * Calls by which a runtime waits, wakes its threads and manages its memory: when, and so how often, is up to the scheduler and the
 * garbage collector. Of 200 equal requests to one Go server there were 192 to 508 calls of futex, and 200 of write each time.
 */
const UNCOUNTED = {
  x64: {
    ...{ futex: 202, futex_waitv: 449, epoll_wait: 232, epoll_pwait: 281, epoll_pwait2: 441, poll: 7, ppoll: 271 },
    ...{ select: 23, pselect6: 270, nanosleep: 35, clock_nanosleep: 230, sched_yield: 24, restart_syscall: 219 },
    ...{ mmap: 9, mprotect: 10, munmap: 11, mremap: 25, brk: 12, madvise: 28, membarrier: 324 },
    ...{ rt_sigprocmask: 14, rt_sigreturn: 15, tgkill: 234 },
  },
  arm64: {
    ...{ futex: 98, futex_waitv: 449, epoll_pwait: 22, epoll_pwait2: 441, ppoll: 73 },
    ...{ pselect6: 72, nanosleep: 101, clock_nanosleep: 115, sched_yield: 124, restart_syscall: 128 },
    ...{ mmap: 222, mprotect: 226, munmap: 215, mremap: 216, brk: 214, madvise: 233, membarrier: 283 },
    ...{ rt_sigprocmask: 135, rt_sigreturn: 139, tgkill: 131 },
  },
} as const;

/** A read that finds nothing yet: how often a server tries too early depends on when the next request comes. */
const EAGAIN = 11;

/**
 * A thread that has work for an event loop wakes it through an eventfd, whose reads and writes are of 8 bytes: several at a time, or each
 * by itself. What else happens to be of 8 bytes is left out on both sides.
 */
const EVENTFD_BYTES = 8;
const READ_AND_WRITE = { x64: [0, 1], arm64: [63, 64] } as const;

/** What the kernel tells of each call as it ends. */
export const SYSCALL_EVENT = 'raw_syscalls:sys_exit';

/** The filter of that event on an architecture as Node.js names it; null where the numbers of its calls are not known here. */
export function syscallFilter(architecture: string): string | null {
  if (!Object.hasOwn(UNCOUNTED, architecture)) return null;
  const known = architecture as keyof typeof UNCOUNTED;
  return [
    `ret != -${EAGAIN}`,
    ...Object.values(UNCOUNTED[known]).map((id) => `id != ${id}`),
    ...READ_AND_WRITE[known].map((id) => `(id != ${id} || ret != ${EVENTFD_BYTES})`),
  ].join(' && ');
}

/**
 * What `perf stat -x,` counted: `29,,raw_syscalls:sys_exit,858610,100.00,,`. Threads that did not run at all made no call, and
 * are `<not counted>`. Null where it says nothing of the event, or that it is not supported.
 */
export function syscallsIn(output: string): number | null {
  for (const line of output.split('\n')) {
    const [count = '', , event] = line.trim().split(',');
    if (event !== SYSCALL_EVENT) continue;
    if (count === '<not counted>') return 0;
    return /^\d+$/.test(count) ? Number(count) : null;
  }
  return null;
}
