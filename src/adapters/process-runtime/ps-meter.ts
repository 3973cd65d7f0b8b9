import { execFileSync } from 'node:child_process';
import type { ResourceMeter } from '../../app/ports/testbed.ts';
import { childEnvironment } from '../process/child-environment.ts';

/**
 * For systems without `/proc` (macOS): CPU time and memory of a process and its descendants as `ps` shows them. Each
 * reading starts a process and takes milliseconds; CPU time is in steps of 10 ms or more, and what an ended child had
 * used since the last reading is lost; memory is resident memory, with what processes share counted once for each.
 */
export class PsMeter implements ResourceMeter {
  readonly #leader: number;
  #lastNs = new Map<number, number>();
  #endedNs = 0;

  constructor(leader: number) {
    this.#leader = leader;
  }

  cpuNs(): number {
    const rows = this.#rows();
    const now = new Map(rows.map(({ pid, cpuNs }) => [pid, cpuNs]));
    for (const [pid, ns] of this.#lastNs) if ((now.get(pid) ?? -1) < ns) this.#endedNs += ns;
    this.#lastNs = now;
    return [...now.values()].reduce((sum, ns) => sum + ns, this.#endedNs);
  }

  memoryBytes(): number {
    return this.#rows().reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  }

  #rows(): PsRow[] {
    // Another language has another mark before the hundredths.
    const env = childEnvironment({ LC_ALL: 'C' });
    const rows = parsePs(execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,rss=,time='], { encoding: 'utf8', env }));
    const members = new Set([this.#leader]);
    for (let size = 0; size !== members.size; ) {
      size = members.size;
      for (const row of rows) if (row.group === this.#leader || members.has(row.parent)) members.add(row.pid);
    }
    return rows.filter(({ pid }) => members.has(pid));
  }
}

interface PsRow {
  pid: number;
  parent: number;
  group: number;
  rssBytes: number;
  cpuNs: number;
}

/** Time is `[days-][hours:]minutes:seconds[.hundredths]`. */
function parsePs(output: string): PsRow[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(?:(\d+)-)?([\d:.]+)\s*$/.exec(line);
    if (!match) return [];
    const [, pid, parent, group, kilobytes, days = '0', clock = '0'] = match;
    const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
    const cpuNs = Math.round(seconds * 1e9);
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), rssBytes: Number(kilobytes) * 1024, cpuNs },
    ];
  });
}
