/** Which of the right words a person meant who wrote a wrong one. */

/** Words that people bring along from other tools, and what they are called here. */
const CALLED_HERE = new Map<string, string[]>(
  Object.entries({
    clients: ['connections'],
    cmd: ['command'],
    code: ['status'],
    concurrency: ['connections'],
    cwd: ['working-directory'],
    data: ['body'],
    db: ['database'],
    entrypoint: ['command'],
    environment: ['env'],
    healthcheck: ['ready'],
    'mem-limit': ['memory'],
    migrations: ['init'],
    'network-mode': ['network'],
    nofile: ['open-files'],
    payload: ['body'],
    ports: ['port'],
    postgres: ['database'],
    prefix: ['base-path'],
    proxy: ['gateway'],
    qps: ['rate', 'throughput'],
    requests: ['endpoints'],
    route: ['path'],
    routes: ['endpoints'],
    rps: ['rate', 'throughput'],
    server: ['services', 'service'],
    servers: ['services'],
    'status-code': ['status'],
    statuscode: ['status'],
    targets: ['services'],
    threads: ['connections'],
    uri: ['path'],
    url: ['path'],
    users: ['connections'],
    verb: ['method'],
    vus: ['connections'],
  }),
);

/**
 * The nearest of `candidates`, or null where none is near: at most a third of the word may differ. Case, `-`, `_` and
 * spaces do not count, a swap of neighbours counts once.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const options = [...candidates];
  const known = CALLED_HERE.get(word.toLowerCase().replaceAll('_', '-'))?.find((name) => options.includes(name));
  const written = plain(word);
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const option of options) {
    const distance = editDistance(written, plain(option));
    if (distance < bestDistance && distance <= Math.max(1, Math.ceil(Math.max(written.length, option.length) / 3))) {
      best = option;
      bestDistance = distance;
    }
  }
  // A word of another tool wins over a likeness by accident, not over a slip of the finger.
  if (known !== undefined && bestDistance > 1) return known;
  // `cpu` of `cpu-per-request`, `p99` of `latency-p99`.
  return best ?? options.find((option) => option.split('-').includes(word.toLowerCase())) ?? null;
}

/** The `count` nearest of `candidates`, the nearest first, however far they are. */
export function nearestFew(word: string, candidates: Iterable<string>, count: number): string[] {
  const written = plain(word);
  return [...new Set(candidates)]
    .map((option) => ({ option, distance: editDistance(written, plain(option)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ option }) => option);
}

/** Insertions, deletions, replacements and swaps of neighbours that make one word the other (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  // Words of a spec are short; a long text is near to nothing, and is not worth the time.
  if (a.length > LONGEST_WORD || b.length > LONGEST_WORD) return a === b ? 0 : Math.max(a.length, b.length);
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replaced, last[column]! + 1, current[column - 1]! + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, beforeLast[column - 2]! + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

const LONGEST_WORD = 80;

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, '');
}
