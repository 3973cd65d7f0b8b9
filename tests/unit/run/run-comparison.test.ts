import { describe, expect, it } from 'vitest';
import type { BuiltBaseline } from '../../../src/app/baseline/baseline-plan.ts';
import type { PreparedBaseline } from '../../../src/app/baseline/prepared-baseline.ts';
import { anchorOf, comparingOf, comparingRequest, pinned } from '../../../src/app/run/run-comparison.ts';
import type { GateRules } from '../../../src/core/config/resolved.ts';
import type { Shard } from '../../../src/core/config/shard.ts';
import type { Reason } from '../../../src/core/measurement/names.ts';
import type { SideOrigin } from '../../../src/core/record/run-record.ts';
import { earlierRun } from '../baseline/records.ts';
import { smallSpec } from '../support/comparing.ts';

const SHA = 'b'.repeat(40);
const here: SideOrigin = { recordId: null, sha: SHA, text: 'working tree at bbbbbbb' };
const wanted = (text: string, phraseFrom: 'spec' | 'call' = 'call') => ({ text, phraseFrom, recordDirectory: '/work' });
const accepted = [{ cases: '/ping', metric: null, reason: 'it signs now' }];
const alone = { candidate: smallSpec(), event: null, budgetSeconds: 300 };

function first(warnings: Reason[], text = 'auto'): PreparedBaseline {
  return { kind: 'first', wanted: wanted(text), candidateOrigin: here, warnings };
}

function stored(text: string): PreparedBaseline {
  const record = earlierRun({ id: 'one' });
  const origin: SideOrigin = { recordId: 'one', sha: SHA, text: 'numbers of run one' };
  const gate = { ...record.spec.gate, anchor: 'commit:v1.0' };
  return { kind: 'stored', wanted: wanted(text), record, gate, origin, candidateOrigin: here, warnings: [] };
}

function beside(text: string, origin: Partial<SideOrigin>): PreparedBaseline {
  const plan = { kind: 'built', origin: { recordId: null, sha: null, text: '', ...origin } } as BuiltBaseline;
  return { ...plan, wanted: wanted(text, 'spec'), prepared: [] };
}

describe('what a resumed run asks for', () => {
  it.each([
    ['the commit that a name stood for', beside('commit:main', { sha: SHA }), `commit:${SHA}`, 'call'],
    [
      'a record by its whole path, wherever it is gone on from',
      beside('record:old/one', { recordId: 'one', sha: SHA }),
      'record:/work/old/one',
      'spec',
    ],
    ['the same for numbers', stored('record:old/run.json'), 'record:/work/old/run.json', 'call'],
    ['an image by its name', beside('image:acme/go:1', {}), 'image:acme/go:1', 'spec'],
  ])('is %s', (_title, baseline, phrase, phraseFrom) => {
    expect(pinned(baseline)).toEqual({ baseline: phrase, phraseFrom });
  });

  it('is nothing where nobody wanted a baseline', () => {
    expect(pinned({ kind: 'none' })).toEqual({});
    expect(comparingOf({ kind: 'none' }, 'duet', [], alone)).toEqual({});
  });
});

describe('the record of a run without a baseline beside it', () => {
  const failedWith = (code: string, event: string | null = null) =>
    comparingOf(first([{ code, message: 'so it is.' }]), 'duet', [], { ...alone, event }).unpaired?.failed;

  it('says what was asked for, why there is nothing, and what was accepted', () => {
    const warnings = [{ code: 'no-baseline-spec', message: 'No spec there.' }];
    expect(comparingOf(first(warnings), 'duet', accepted, alone)).toEqual({
      unpaired: { wanted: 'auto', baseline: null, candidate: here, warnings, failed: false, accepted },
    });
  });

  it.each(['shallow-checkout', 'worktree-failed', 'wrong-baseline-spec', 'baseline-not-built', 'image-not-had'])(
    'is no pass where a commit is known and is not available: %s',
    (code) => {
      expect(failedWith(code)).toBe(true);
    },
  );

  it.each(['no-base-branch', 'unrelated-histories', 'earlier-runs-of-others'])(
    'is no pass where there is a past, and nobody can tell what of it to compare with: %s',
    (code) => {
      expect([failedWith(code), failedWith(code, 'push')]).toEqual([true, true]);
    },
  );

  it.each(['no-baseline-spec', 'no-earlier-run', 'first-commit', 'no-commit', 'no-repository'])(
    'is a first measurement where there is nothing to compare with: %s',
    (code) => {
      expect(failedWith(code)).toBe(false);
    },
  );

  it('is no pass where earlier runs were asked for by name, and nobody could read whether there are any', () => {
    const unread = [{ code: 'earlier-runs-not-read', message: 'gh-pages cannot be read.' }];
    const failed = (text: string) => comparingOf(first(unread, text), 'duet', [], alone).unpaired?.failed;
    expect([failed('stored'), failed('auto')]).toEqual([true, false]);
  });

  it('is no pass in a pull request without a repository: it has a base in any case', () => {
    expect(failedWith('no-repository', 'pull_request')).toBe(true);
    expect(failedWith('no-baseline-spec', 'pull_request')).toBe(false);
  });

  it('says that the anchor was left out, but not in the run of the anchor itself', () => {
    const { candidate } = alone;
    const context = { ...alone, candidate: { ...candidate, gate: { ...candidate.gate, anchor: 'commit:v1.0' } } };
    expect(comparingOf(first([]), 'duet', [], context).unpaired?.warnings).toEqual([
      {
        code: 'anchor-not-compared',
        message: 'The anchor commit:v1.0 was not compared: that takes a baseline, and there was none.',
      },
    ]);
    expect(comparingOf(first([], 'commit:v1.0'), 'duet', [], context).unpaired?.warnings).toEqual([]);
  });

  it('names the run whose numbers stood in, and what was accepted: the history of the change ends there', () => {
    expect(comparingOf(stored('stored'), 'duet', accepted, alone)).toMatchObject({
      unpaired: { wanted: 'stored', baseline: { recordId: 'one', sha: SHA }, failed: false, accepted },
    });
    expect(anchorOf(stored('stored'))).toBe('commit:v1.0');
    expect(anchorOf(first([]))).toBeNull();
  });
});

describe('the record of a run beside its baseline', () => {
  const comparing = (path: string) => {
    const spec = smallSpec([{ path: '/users' }]);
    const plan = { kind: 'built', spec, gate: spec.gate, origin: here, candidateOrigin: here, warnings: [] };
    const baseline = { ...plan, wanted: wanted('auto'), prepared: [] } as unknown as PreparedBaseline;
    return comparingOf(baseline, 'duet', [], { ...alone, candidate: smallSpec([{ path }]) }).comparing!;
  };

  it('says which request of the candidate’s own nobody was asked, without its secrets', () => {
    expect(comparing('/quick?token=0123456789abcdef').ownRequests).toEqual({
      'go/ping': 'GET /quick?token=[redacted]',
    });
    expect(comparing('/users')).not.toHaveProperty('ownRequests');
  });
});

describe('what a comparison is given', () => {
  function request(gate: Partial<GateRules>, event: string | null = 'pull_request', budgetSeconds = 300) {
    const spec = smallSpec();
    const plan = { kind: 'built', spec, gate: { ...spec.gate, ...gate }, missing: [] } as unknown as BuiltBaseline;
    const baseline: PreparedBaseline = { ...plan, wanted: wanted('auto'), prepared: [] };
    const options = { noSkip: false, event, budgetSeconds, only: null, shard: null };
    return comparingRequest(baseline, 'duet', spec, options)!;
  }

  it.each([
    ['pull_request', true],
    ['merge_group', true],
    [null, true],
    ['push', false],
    ['schedule', false],
    ['release', false],
    ['workflow_dispatch', false],
  ])('in a run of %s are short trials for the published figures: %s', (event, isShort) => {
    expect(request({}, event).isShort).toBe(isShort);
  });

  it('are whole trials where a limit is held against the published figures', () => {
    const max = { max: 50 };
    expect(request({ metrics: { 'latency-p99': max } }).isShort).toBe(false);
    expect(request({ cases: { '/ping': { 'latency-p99': max } } }).isShort).toBe(false);
  });

  it('is time up to a quarter of an hour on top of an automatic budget, and none on top of a written one', () => {
    expect(request({ budgetSeconds: null }).extraSeconds).toBe(900 - 300);
    expect(request({ budgetSeconds: null }, 'push', 900).extraSeconds).toBe(0);
    expect(request({ budgetSeconds: 300 }).extraSeconds).toBe(0);
  });

  it('is up to twelve minutes of an automatic budget for the rounds that were expected of it, on a slower machine', () => {
    expect(request({ budgetSeconds: null }).longestSeconds).toBe(720);
    expect(request({ budgetSeconds: null }, 'push', 900).longestSeconds).toBe(900);
    expect(request({ budgetSeconds: 300 }).longestSeconds).toBe(300);
  });

  it('may be nothing where both sides are the same, but on a shard that one of several services is not on', async () => {
    const same: Reason = { code: 'same-on-both-sides', message: 'Not measured.' };
    const skippedOn = async (services: string[], shard: Shard | null, only: string | null = null) => {
      const spec = smallSpec([{}], services);
      const plan = { kind: 'built', spec, gate: spec.gate, missing: [], sameOnBothSides: async () => same };
      const baseline = { ...plan, wanted: wanted('auto'), prepared: [] } as unknown as PreparedBaseline;
      const options = { noSkip: false, event: 'pull_request', budgetSeconds: 300, only, shard };
      return await comparingRequest(baseline, 'duet', spec, options)!.sameOnBothSides([], []);
    };
    const shard = { index: 1, count: 2 };
    expect(await skippedOn(['go', 'node'], null)).toEqual(same);
    expect(await skippedOn(['go'], shard)).toEqual(same);
    expect(await skippedOn(['go', 'node'], shard)).toBeNull();
    expect(await skippedOn(['go', 'node'], shard, 'go')).toEqual(same);
  });

  it('ends what is red after five minutes of an automatic budget, and never before the end of a written one', () => {
    expect(request({ budgetSeconds: null }).redSeconds).toBe(300);
    expect(request({ budgetSeconds: 1200 }).redSeconds).toBe(Number.POSITIVE_INFINITY);
  });
});
