import { execFileSync } from 'node:child_process';
import { passiveOpensOf } from '../network/network-state.ts';

/**
 * Counts the connections that this network namespace has accepted since this was called, from the kernel's own count.
 * Processes share the machine's namespace, so the count holds whatever else was accepted meanwhile: the database's
 * connections and, by the gateway's route, those from the gateway to the service. Beside a service that keeps its
 * connections to both, as servers do under load, that is a handful among thousands. Those of another testbed that is loaded
 * meanwhile are not: `Testbed.countsOthersConnections` tells of them.
 */
export function acceptedSince(): () => number {
  const first = acceptedNow() ?? 0;
  let last = 0;
  return () => {
    last = Math.max(last, (acceptedNow() ?? first) - first);
    return last;
  };
}

function acceptedNow(): number | null {
  if (process.platform === 'linux') return passiveOpensOf(process.pid);
  const said = execFileSync('netstat', ['-s', '-p', 'tcp'], { encoding: 'utf8' });
  const count = /(\d+) connection accepts/.exec(said)?.[1];
  return count === undefined ? null : Number(count);
}
