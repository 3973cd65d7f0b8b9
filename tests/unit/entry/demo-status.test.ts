import { describe, expect, it } from 'vitest';
import { unfinished } from '../../../src/entry/demo-status.ts';
import { fixtureRecord } from '../report/fixture-records.ts';

const calm = new AbortController().signal;
/** Of nine cases of which three are invalid. */
const ended = { ...fixtureRecord('troubled'), interrupted: null };

describe('exit status of a demo', () => {
  it('is none of a failure where only some cases are invalid', () => {
    expect(ended.cases.filter(({ status }) => status === 'invalid')).toHaveLength(3);
    expect(unfinished(ended, calm)).toBeNull();
  });

  it('is 4 where nothing was measured', () => {
    const cases = ended.cases.map((each) => ({ ...each, status: 'invalid' as const, metrics: {} }));
    expect(unfinished({ ...ended, cases }, calm)).toBe(4);
  });

  it('is 3 where the machine ended it, and 130 where a person did', () => {
    const cut = fixtureRecord('troubled');
    expect(unfinished(cut, calm)).toBe(3);
    expect(unfinished(cut, AbortSignal.abort())).toBe(130);
  });
});
