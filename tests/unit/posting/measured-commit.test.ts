import { describe, expect, it } from 'vitest';
import { contradictions } from '../../../src/core/posting/measured-commit.ts';
import { recordOf } from './made-up.ts';

const [head, base, merge, other] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const known = { head, merge: { sha: merge, parents: [base, head] } };
function record(sha: string | null, against: string | null = base) {
  const { source, comparing } = recordOf();
  const side = { ...comparing!.baseline, sha: against };
  return { source: { ...source, sha }, comparing: { ...comparing!, baseline: side } };
}

describe('what speaks against a record being of this run', () => {
  it('is nothing for the merge of head and base, compared with the base', () => {
    expect(contradictions(record(merge), known)).toEqual([]);
  });

  it('is nothing for the head itself', () => {
    expect(contradictions(record(head), { head, merge: null })).toEqual([]);
  });

  it('is nothing for the merge that this very job was given, though nobody tells what it is', () => {
    expect(contradictions(record(merge), { head, merge: null, checkedOut: merge })).toEqual([]);
    expect(contradictions(record(other), { head, merge: null, checkedOut: merge })).toHaveLength(1);
    expect(contradictions(record(null), { head, merge: null, checkedOut: null })).toHaveLength(1);
  });

  it('is another commit', () => {
    expect(contradictions(record(other), known)).toEqual(['the record is of ddddddd, and the run was of aaaaaaa']);
    expect(contradictions(record(null), known)).toEqual(['the record is of no commit, and the run was of aaaaaaa']);
  });

  it('is a merge of something else', () => {
    const foreign = { head, merge: { sha: merge, parents: [base, other] } };
    expect(contradictions(record(merge), foreign)).toEqual(['the record is of ccccccc, and the run was of aaaaaaa']);
  });

  it('is a baseline of its own choice', () => {
    expect(contradictions(record(merge, other), known)).toEqual([
      'the record compares with ddddddd, and the pull request is to be merged into bbbbbbb',
    ]);
  });
});
