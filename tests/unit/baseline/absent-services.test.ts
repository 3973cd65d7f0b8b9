import { describe, expect, it } from 'vitest';
import {
  absentSentence,
  mayBeAbsent,
  optionalWarnings,
  rightlyAbsent,
  withRequiredServices,
} from '../../../src/core/baseline/absent-services.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { rejudged } from '../../../src/core/posting/judgement.ts';
import { runVerdict } from '../../../src/core/posting/verdict.ts';
import { mergedRecord } from '../../../src/core/record/merged-record.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { known, recordOf } from '../posting/made-up.ts';

const failure = { code: 'build-failed', message: 'rust: cargo was not found.\n    error: 1\n    error: 2' };
const KEY = 'rust/ping/direct/wrk/keep-alive/100';

/** The spec with a second service. */
function withRust(spec: ResolvedSpec, changes: Partial<ResolvedSpec['services'][number]> = {}): ResolvedSpec {
  return { ...spec, services: [...spec.services, { ...spec.services[0]!, name: 'rust', ...changes }] };
}

/** A run whose spec has `rust` as optional, and that went on without it. */
function withoutRust(record: RunRecord): RunRecord {
  const absent = { service: 'rust', variant: 'candidate' as const, artifact: '', failure, absent: true as const };
  return { ...record, spec: withRust(record.spec, { optional: true }), services: [...record.services, absent] };
}

describe('whether a service may be absent', () => {
  const [service] = recordOf().spec.services;
  const optional = { ...service!, optional: true as const };
  it.each([
    ['it is required', service!, undefined, false],
    ['the baseline has no such service', optional, undefined, true],
    ['both call it optional', optional, optional, true],
    ['the baseline gates it', optional, service!, false],
    [
      'the baseline has it as a reference, which it never gated',
      optional,
      { ...service!, role: 'reference' as const },
      true,
    ],
    ['only the baseline calls it optional', service!, optional, false],
  ])('where %s', (_, own, before, expected) => {
    expect(mayBeAbsent(own, before)).toBe(expected);
  });
});

describe('a change that makes a service optional', () => {
  it('is told that it stays in its gate', () => {
    const { spec } = recordOf();
    expect(optionalWarnings(withRust(spec, { optional: true }), withRust(spec))).toEqual([
      {
        code: 'optional-changed',
        message:
          "rust is optional in the candidate's spec and not in the baseline's: this comparison needs it, since a change cannot take a service out of its own gate.",
      },
    ]);
    expect(optionalWarnings(withRust(spec, { optional: true }), spec)).toEqual([]);
    expect(optionalWarnings(withRust(spec), withRust(spec, { optional: true }))).toEqual([]);
  });
});

describe('the sentence on an absent service', () => {
  it('has the reason without the log, and without the name twice', () => {
    expect(absentSentence({ service: 'rust', variant: 'candidate', reason: failure })).toBe(
      'Absent: rust (optional): cargo was not found.',
    );
    expect(absentSentence({ service: 'rust', variant: 'baseline', reason: { code: 'x', message: 'no image' } })).toBe(
      'Absent: rust (optional, baseline): no image',
    );
  });
});

describe('a record that calls a service absent', () => {
  const record = withoutRust(recordOf({ rounds: 20 }));
  const { spec } = recordOf();

  it('lacks nothing where the base lets it', () => {
    for (const baseSpec of [spec, withRust(spec, { optional: true })]) {
      expect([...rightlyAbsent(record, baseSpec)]).toEqual(['rust']);
      expect(withRequiredServices(record, baseSpec, null)).toBe(record);
      expect(runVerdict(rejudged(record, known({ baseSpec })))).toBe('no-change');
    }
  });

  it('is invalid where the base needs the service, for the reason that it was absent', () => {
    const judged = rejudged(record, known({ baseSpec: withRust(spec) }));
    expect(runVerdict(judged)).toBe('invalid');
    expect(judged.comparison!.gate.invalid).toEqual([
      { caseKey: KEY, metric: null, message: `candidate: ${failure.message}` },
    ]);
    expect(runVerdict(rejudged(record, known({ baseSpec: withRust(spec), only: 'go' })))).toBe('no-change');
  });

  it('is invalid where the base needs it and gates by absolute limits alone', () => {
    const alone = withoutRust(recordOf({ comparing: null, cases: [{ only: 'candidate' }] }));
    const base = withRust(spec);
    const baseSpec = { ...base, gate: { ...base.gate, baseline: 'none' } };
    expect(runVerdict(rejudged(alone, known({ baseSpec, withoutBaseline: true })))).toBe('invalid');
    const free = { ...withRust(spec, { optional: true }), gate: baseSpec.gate };
    expect(runVerdict(rejudged(alone, known({ baseSpec: free, withoutBaseline: true })))).toBe('first-measurement');
  });

  it('cannot make a case absent that its spec does not call optional', () => {
    const forged = { ...record, spec: withRust(spec) };
    const judged = rejudged(forged, known({ baseSpec: withRust(spec, { optional: true }) }));
    expect(judged.comparison!.gate.invalid.map(({ caseKey }) => caseKey)).toEqual([KEY]);
  });

  it('against stored numbers is invalid or not by the stored spec', () => {
    const published = { ...recordOf({ comparing: null, cases: [{ only: 'candidate' }] }), id: 'base' };
    const rust = { ...published.cases[0]!, key: KEY, service: 'rust' };
    const base = { ...published, spec: withRust(spec), cases: [...published.cases, rust] };
    const head = withoutRust(recordOf({ comparing: null, cases: [{ only: 'candidate' }] }));
    const invalid = (stored: RunRecord) => storedComparison(stored, head).gate.invalid.map(({ caseKey }) => caseKey);
    expect(invalid(base)).toEqual([KEY]);
    const free = { ...base, spec: withRust(spec, { optional: true }) };
    expect(invalid(free)).toEqual([]);
    expect(storedComparison(free, head).warnings.map(({ code }) => code)).toContain('absent');
  });

  it('is named in the record of several machines, whichever of them went without it', () => {
    const whole = { ...record, services: record.services.filter(({ service }) => service !== 'rust') };
    const started = { service: 'rust', variant: 'candidate' as const, artifact: 'sha256:1', failure: null };
    const parts = [{ ...whole, services: [...whole.services, started] }, record];
    const merged = mergedRecord({
      spec: record.spec,
      ...{ only: null, quick: false, count: 2, failures: new Map() },
      records: new Map(parts.map((part, index) => [index + 1, part])),
    });
    expect(merged.services.filter(({ service }) => service === 'rust')).toEqual([record.services.at(-1)]);
  });
});
