import { describe, expect, it } from 'vitest';
import type { Page, RunEntry } from '../../../../../../src/site/pages/view.ts';
import { pastFigures } from '../../../../../../src/site/pages/views/parts/past-figures.ts';

/** Figures of the first run, of the second, and so on, of one case and metric. */
function figuresOfLast(cpus: readonly string[]): readonly number[] {
  const piece = { series: { '0.0': { value: cpus.map((_, place) => 100 + place) } } };
  const runs = cpus.map((cpu, place) => ({ cpu, at: place, imported: false, piece, place }) as unknown as RunEntry);
  const manifest = { cases: [{ key: 'go/ping' }], metrics: [{ name: 'throughput' }] };
  const page = { data: { manifest, runs: () => runs } } as unknown as Page;
  return pastFigures(page, runs.at(-1)!)('go/ping', 'throughput');
}

describe('what past runs published', () => {
  it('is of runs on the same CPU model', () => {
    expect(figuresOfLast(['EPYC (4 CPUs)', 'Xeon (4 CPUs)', 'EPYC (4 CPUs)'])).toEqual([100, 102]);
  });

  it('is nothing to a run that was shared out over several, each of which may have had any case', () => {
    expect(figuresOfLast(['EPYC and Xeon (4 CPUs)', 'EPYC and Xeon (4 CPUs)'])).toEqual([]);
  });
});
