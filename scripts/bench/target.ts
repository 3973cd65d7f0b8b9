/** What every `npm run bench:NAME` tells: figures, and the targets that they are held against. */
export interface BenchResult {
  figures: Record<string, number | string>;
  targets: Target[];
}

export interface Target {
  name: string;
  value: number;
  /** In words, as `at most 1.15`. */
  limit: string;
  met: boolean;
}

export function atMost(name: string, value: number, limit: number): Target {
  return { name, value, limit: `at most ${limit}`, met: value <= limit };
}

export function atLeast(name: string, value: number, limit: number): Target {
  return { name, value, limit: `at least ${limit}`, met: value >= limit };
}

/** For people: no more digits than mean something. */
export function rounded(value: number, digits = 4): number {
  return Number(value.toPrecision(digits));
}
