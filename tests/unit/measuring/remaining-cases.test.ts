import { describe, expect, it } from 'vitest';
import { lossesOf, withoutMeasuredCases, withoutUnloadable } from '../../../src/app/measuring/remaining-cases.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { smallSpec } from '../support/comparing.ts';

const spec = smallSpec([{}, { name: 'news', path: '/news' }], ['go', 'rust']);
const all = casesOf(spec);
const services = spec.services.map((service) => ({
  service,
  cases: all.filter((each) => each.service.name === service.name),
}));
const [first, second] = services[0]!.cases;
const reason = { code: 'machine-limit', message: 'too few ports' };
const trialOf = (caseKey: string, variant: 'baseline' | 'candidate') =>
  ({ kind: 'trial', caseKey, variant }) as JournalEntry;
const keysOf = (left: typeof services) => left.map(({ service, cases }) => [service.name, cases.map(({ key }) => key)]);

describe('the cases that are left to measure', () => {
  it('are those without a trial of the candidate', () => {
    const entries = [trialOf(first!.key, 'candidate'), trialOf(second!.key, 'baseline')];
    expect(keysOf(withoutMeasuredCases(services, entries))).toEqual([
      ['go', [second!.key]],
      ['rust', services[1]!.cases.map(({ key }) => key)],
    ]);
  });

  it('are none of a service whose cases cannot be loaded', () => {
    const unloadable = services[0]!.cases.map(({ key }) => ({ caseKey: key, reason }));
    expect(keysOf(withoutUnloadable(services, unloadable))).toEqual([
      ['rust', services[1]!.cases.map(({ key }) => key)],
    ]);
  });
});

describe('a case that cannot be loaded', () => {
  const unloadable = [{ caseKey: second!.key, reason }];
  const lost = { kind: 'lost', caseKey: second!.key, reason };

  it('is lost on the one side of a run on its own', () => {
    expect(lossesOf(unloadable, services, null, [])).toEqual([lost]);
  });

  it('is lost on both sides where the baseline has it', () => {
    expect(lossesOf(unloadable, services, spec, [])).toEqual([lost, { ...lost, variant: 'baseline' }]);
    expect(lossesOf(unloadable, services, smallSpec(), [])).toEqual([lost]);
  });

  it('stays measured where it was before the run was gone on with', () => {
    expect(lossesOf(unloadable, services, spec, [trialOf(second!.key, 'candidate')])).toEqual([]);
  });
});
