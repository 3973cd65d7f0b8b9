import { describe, expect, it } from 'vitest';
import { anchorName } from '../../../src/core/baseline/anchor-name.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const named = (anchor: string | undefined) =>
  anchorName(madeUpRecord({ cases: [{}], gate: anchor === undefined ? {} : { anchor } }));

describe('the name of an anchor', () => {
  it.each([
    ['commit:v1.0', 'v1.0'],
    [`commit:${'a'.repeat(40)}`, 'aaaaaaa'],
    ['image:acme/api:1.0', 'acme/api:1.0'],
    ['record:bench/v1.json', 'bench/v1.json'],
    ['commit:not a name', null],
    [undefined, null],
  ])('of %s is %s', (anchor, name) => {
    expect(named(anchor)).toBe(name);
  });

  it('is that of the spec where the limits are those of a baseline without one', () => {
    const record = madeUpRecord({ cases: [{}] });
    expect(
      anchorName({ ...record, spec: { ...record.spec, gate: { ...record.spec.gate, anchor: 'commit:v2' } } }),
    ).toBe('v2');
  });
});
