import { describe, expect, it } from 'vitest';
import type { RunEntry } from '../../../../../../src/site/pages/view.ts';
import type { Colours } from '../../../../../../src/site/pages/views/trend/colours.ts';
import { figuresDrawing } from '../../../../../../src/site/pages/views/trend/drawings.ts';
import type { Trend } from '../../../../../../src/site/pages/views/trend/model.ts';
import type { Question } from '../../../../../../src/site/pages/views/trend/question.ts';

const HOUR = 3_600_000;
const SHAS = ['1', '2', '3', '4'].map((digit) => digit.repeat(40));

/** Labels of the axis of four runs, at so many hours after the first, on a chart of 1,100 pixels. */
function labelsOf(axis: Question['axis'], hours: readonly number[], shas: readonly (string | null)[]): string[] {
  const first = Date.UTC(2026, 10, 1, 10, 15);
  const runs = hours.map(
    (after, place) =>
      ({ at: first + after * HOUR, sha: shas[place], release: null, accepted: [] }) as unknown as RunEntry,
  );
  const trend: Trend = {
    runs,
    cpus: runs.map(() => 'EPYC (4 CPUs)'),
    metric: { name: 'throughput', title: 'Throughput', unit: 'req/s', better: 'higher' },
    lines: [],
    withoutReference: [],
    hasFigures: true,
    hasChanges: false,
  };
  const { ticks } = figuresDrawing(trend, { axis, band: true } as Question, {} as Colours, 1100);
  return ticks.map(({ label }) => String(label));
}

describe('the axis of a chart', () => {
  it('has no label twice along time', () => {
    const labels = labelsOf('time', [0, 24, 48, 96], SHAS);
    expect(labels.slice(0, 3)).toEqual(['1 Nov 12:00', '2 Nov 00:00', '2 Nov 12:00']);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('has commit and day along runs', () => {
    expect(labelsOf('commits', [0, 24, 48, 96], SHAS)).toEqual([
      '1111111,1 Nov',
      '2222222,2 Nov',
      '3333333,3 Nov',
      '4444444,5 Nov',
    ]);
  });

  it('has none twice along runs of which several are of one day and of no commit', () => {
    const labels = labelsOf('commits', [0, 1, 50, 100], [null, null, null, null]);
    expect(labels).toEqual(['1 Nov 10:15', '1 Nov 11:15', '3 Nov 12:15', '5 Nov 14:15']);
  });
});
