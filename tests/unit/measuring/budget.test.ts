import { describe, expect, it } from 'vitest';
import { secondsLeft } from '../../../src/app/measuring/side-by-side/budget.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';

const took = (service: string, comparingSeconds: number): JournalEntry => ({
  kind: 'round',
  service,
  round: 1,
  comparingSeconds,
});
const order = ['go', 'node', 'rust'];
const left = (service: string, ...entries: JournalEntry[]) => secondsLeft(service, order, 300, entries);

describe('the seconds that a service has left to be compared in', () => {
  it('are an even part of all, and of what those before it did not use', () => {
    expect(left('go')).toBe(100);
    expect(left('node', took('go', 20))).toBe(140);
    expect(left('rust', took('go', 20), took('node', 160))).toBe(120);
  });

  it('are none where it has spent its part, also after a run that was interrupted in a later service', () => {
    const entries = [took('go', 101), took('node', 50)];
    expect(left('go', ...entries)).toBe(-1);
    expect(left('node', ...entries)).toBe(49.5);
    expect(left('rust', ...entries)).toBe(149);
  });

  it('are less what a round took that could not be started, or was interrupted', () => {
    expect(left('go', took('go', 30), { kind: 'broken-off', service: 'go', round: 2, comparingSeconds: 10 })).toBe(60);
  });
});
