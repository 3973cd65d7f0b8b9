import { readdirSync, readFileSync } from 'node:fs';

/** `getconf CLK_TCK` is 100 on every Linux of x86-64 and arm64. */
const TICK_NS = 1e7;

/**
 * CPU time of the load of one child with all its threads, as close as the kernel lets us come.
 *
 * While it runs: `/proc/PID/stat` counts ended threads too, in ticks of 10 ms; `schedstat` of its threads is exact, for
 * threads that live. Neither can be too high, so the larger is taken.
 *
 * After its end both are gone, and up to 100 ms since the last reading with them. The kernel has then added the exact
 * total to the `cutime` and `cstime` of ours (± 20 ms, for two counters in ticks) — together with that of every other
 * child of ours that ended meanwhile. So that total counts where it can be this child's alone: between the last reading
 * and what all its CPUs could have given since. Otherwise the last reading is carried on at the child's own pace.
 */
export class ChildCpu {
  readonly #pid: number;
  #startedNs: number;
  readonly #cpuCount: number;
  readonly #reapedBeforeNs = reapedNs();
  /** Before its load began. */
  #earlierNs = 0;
  #lastNs = 0;
  #lastAtNs: number;

  /** Made right after the start. `cpuCount`: how many CPUs the child may use. */
  constructor(pid: number, startedNs: number, cpuCount: number) {
    this.#pid = pid;
    this.#startedNs = startedNs;
    this.#lastAtNs = startedNs;
    this.#cpuCount = cpuCount;
  }

  /** Call it every 100 ms or so while the child runs. */
  read(nowNs: number): void {
    const used = Math.max(processNs(this.#pid) ?? 0, threadsNs(this.#pid));
    if (used < this.#lastNs || used === 0) return;
    this.#lastNs = used;
    this.#lastAtNs = nowNs;
  }

  /** Its load begins: what it had used by the last reading is left out. */
  start(nowNs: number): void {
    this.#earlierNs = this.#lastNs;
    this.#startedNs = nowNs;
    this.#lastAtNs = nowNs;
  }

  /** Call it once, when the child has been reaped. Nanoseconds; 0 where there is no `/proc`. */
  total(endedNs: number): number {
    const reaped = reapedNs();
    if (reaped === null || this.#reapedBeforeNs === null) return 0;
    const delta = reaped - this.#reapedBeforeNs;
    const sinceLastNs = endedNs - this.#lastAtNs;
    const slack = 2 * TICK_NS;
    const possible = this.#lastNs + sinceLastNs * this.#cpuCount;
    const used = this.#lastNs - this.#earlierNs;
    if (delta >= this.#lastNs - slack && delta <= possible + slack) return Math.max(delta - this.#earlierNs, used);
    const readForNs = this.#lastAtNs - this.#startedNs;
    return readForNs > 0 ? used * (1 + sinceLastNs / readForNs) : used;
  }
}

/** User and system time of a process in `/proc/PID/stat`, after its name, which may hold blanks and brackets. */
function statFields(path: string): string[] | null {
  try {
    const text = readFileSync(path, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

// Fields are numbered from 1 in proc(5) and from 3 (the state) here.
const field = (fields: string[], number: number) => Number(fields[number - 3]) * TICK_NS;

function processNs(pid: number): number | null {
  const fields = statFields(`/proc/${pid}/stat`);
  return fields === null ? null : field(fields, 14) + field(fields, 15);
}

/** Of all children of this process that have ended and been waited for; null without `/proc`. */
function reapedNs(): number | null {
  const fields = statFields('/proc/self/stat');
  return fields === null ? null : field(fields, 16) + field(fields, 17);
}

function threadsNs(pid: number): number {
  let sum = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      try {
        sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
      } catch {
        // It ended between the two readings; /proc/PID/stat has it.
      }
    }
  } catch {
    return 0;
  }
  return sum;
}
