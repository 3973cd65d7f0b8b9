import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type ChildRun, runChild } from '../../../src/adapters/generators/child.ts';

/** Counts to a number and prints the CPU time that bash says it took for it. */
const counting = (most: number) => `TIMEFORMAT='%U %S'; time { i=0; while ((i < ${most})); do ((i += 1)); done; }`;

function counted(most: number): Promise<ChildRun> {
  return runChild(
    {
      command: { program: '/bin/bash', arguments: ['-c', counting(most)] },
      directory: tmpdir(),
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      timeoutSeconds: 60,
      cpuCount: 1,
      start: null,
    },
    new AbortController().signal,
  );
}

/** Seconds, by our reading and by the program's own. */
function readings({ cpuNs, stderr }: ChildRun): [ours: number, its: number] {
  return [
    cpuNs / 1e9,
    stderr
      .trim()
      .split(' ')
      .map(Number)
      .reduce((sum, seconds) => sum + seconds, 0),
  ];
}

describe('CPU time of a child', () => {
  // Two counters in ticks of 10 ms, and what bash takes to start.
  it.each([30_000, 400_000])('is what the program says of itself, counting to %i', async (most) => {
    const [ours, its] = readings(await counted(most));
    expect(its).toBeGreaterThan(0);
    expect(Math.abs(ours - its)).toBeLessThanOrEqual(0.04);
  });

  it('is not mixed up with that of another child that ends meanwhile', async () => {
    const both = await Promise.all([counted(300_000), counted(330_000)]);
    for (const [ours, its] of both.map(readings)) expect(Math.abs(ours - its)).toBeLessThanOrEqual(0.15);
  });
});
