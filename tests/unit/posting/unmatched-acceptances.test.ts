import { describe, expect, it } from 'vitest';
import { acceptanceOfLabel } from '../../../src/core/posting/acceptances.ts';
import { runMarkdown, runText } from '../../../src/core/posting/run-text.ts';
import { withUnmatched } from '../../../src/core/posting/unmatched-acceptances.ts';
import { judged, REPORTED } from './made-up.ts';

const label = (text: string) => acceptanceOfLabel(text, 'alice')!;

describe('an acceptance that names nothing', () => {
  it('is answered in the text of the run', () => {
    const [run] = withUnmatched([judged()], [label('perf-accepted: /itmes'), label('perf-accepted: /itmes')], []);
    const said =
      '“/itmes” was accepted (label set by alice) and names no case, endpoint, service or path of this run: it accepts nothing. Use a name as it stands below.';
    expect(run!.comparison!.warnings).toEqual([{ code: 'acceptance-unmatched', message: said }]);
    expect(runMarkdown(runText(run!, REPORTED), 60_000)).toContain(said);
  });

  it.each(['perf-accepted: /ping:no-such-metric', 'perf-accepted: gone'])('may be %s', (text) => {
    expect(withUnmatched([judged()], [label(text)], [])[0]!.comparison!.warnings).toHaveLength(1);
  });

  it.each([
    'perf-accepted',
    'perf-accepted: /ping',
    'perf-accepted: go',
    'perf-accepted: go/*',
    'perf-accepted: /ping:cpu-per-request',
  ])('is none: %s', (text) => {
    expect(withUnmatched([judged()], [label(text)], [])).toEqual([judged()]);
  });

  it('is none where it is of a removed spec, or a run left no case to name', () => {
    const removed = label('perf-accepted: web');
    expect(withUnmatched([judged()], [removed], ['web'])).toEqual([judged()]);
    const empty = { ...judged(), record: { ...judged().record, cases: [] } };
    expect(withUnmatched([judged(), empty], [removed], [])).toEqual([judged(), empty]);
  });
});
