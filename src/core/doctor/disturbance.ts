import { VALIDITY_LIMITS } from '../validity/limits.ts';
import type { MachineFacts } from './facts.ts';
import { type Finding, ok, percent, size, warning } from './finding.ts';
import { asRoot } from './installation.ts';

/** Below this, swap holds what nobody has asked for in a long time. */
const SWAP_BYTES = 64 * 1024 ** 2;

/** What would make numbers of this machine scatter just now. None of it stops a run. */
export function disturbanceFindings(facts: MachineFacts): Finding[] {
  return [...loadFindings(facts), governorFinding(facts), swapFinding(facts)].filter((finding) => finding !== null);
}

/** Whether nobody else uses so much of the CPUs that a warning would say so. */
export function isUndisturbed({
  stealShare,
  otherShare,
}: Pick<NonNullable<MachineFacts['cpu']['now']>, 'stealShare' | 'otherShare'>): boolean {
  return stealShare <= VALIDITY_LIMITS.stealShare && otherShare <= VALIDITY_LIMITS.foreignShare;
}

function loadFindings({ cpu: { now } }: MachineFacts): Finding[] {
  if (now === null) return [];
  const { stealShare, otherShare, busiest } = now;
  const steal =
    stealShare > VALIDITY_LIMITS.stealShare
      ? warning(
          'steal',
          `The hypervisor takes ${percent(stealShare)} of the CPU time just now: another machine on the same hardware is busy. Measure later, or compare in duets only.`,
          null,
        )
      : ok('steal', `${percent(stealShare)} of the CPU time taken by the hypervisor just now`);
  const name = busiest === null ? '' : ` (most by ${busiest.name}, process ${busiest.pid})`;
  const other =
    otherShare > VALIDITY_LIMITS.foreignShare
      ? warning(
          'other-load',
          `Other processes use ${percent(otherShare)} of the CPUs just now${name}. End them before measuring.`,
          'top -b -n 1 -o %CPU | head -n 15',
        )
      : ok('other-load', `${percent(otherShare)} of the CPUs used by other processes just now`);
  return [steal, other];
}

function governorFinding(facts: MachineFacts): Finding | null {
  const { governor } = facts.cpu;
  if (governor === null) return null;
  if (governor === 'performance') return ok('governor', 'CPU frequency governor performance');
  return warning(
    'governor',
    `The CPU frequency governor is ${governor}: the clock follows the load, and CPU time per request follows the clock.`,
    asRoot(facts, 'echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor'),
  );
}

function swapFinding(facts: MachineFacts): Finding | null {
  const { swapUsedBytes } = facts.memory;
  if (swapUsedBytes <= SWAP_BYTES) return null;
  return warning(
    'swap',
    `${size(swapUsedBytes)} of memory lie in swap: reading them back shows as latency.`,
    asRoot(facts, 'swapoff -a && swapon -a'),
  );
}
