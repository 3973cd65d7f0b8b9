import { readFileSync } from 'node:fs';

const CAP_SYS_RESOURCE = 24n;

/** How many open files a child may be given: our own hard limit, or the kernel's own where we may raise limits. */
export function mostOpenFiles(): number {
  try {
    const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '1024';
    if (hard !== 'unlimited' && !mayRaiseLimits()) return Number(hard);
    return Number(readFileSync('/proc/sys/fs/nr_open', 'utf8'));
  } catch {
    return 10_240;
  }
}

/** Root in a container often may not. */
function mayRaiseLimits(): boolean {
  const effective = /^CapEff:\s+([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${effective}`) >> CAP_SYS_RESOURCE) & 1n) === 1n;
}
