import { describe, expect, it } from 'vitest';
import {
  governedGateway,
  governedServices,
  governedWarnings,
  heldToBaseline,
} from '../../../src/core/baseline/governed-services.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import type { Gateway, ResolvedSpec, Service } from '../../../src/core/config/resolved.ts';
import { rejudged } from '../../../src/core/posting/judgement.ts';
import { runVerdict } from '../../../src/core/posting/verdict.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { known, recordOf } from '../posting/made-up.ts';

const { spec } = recordOf();
const having = (changes: Partial<Service>): ResolvedSpec => ({
  ...spec,
  services: spec.services.map((service) => ({ ...service, ...changes })),
});
const closing = having({ keepAlive: 'closes' });
const failing = having({ errors: { max: 0.05 } });

/** Whose candidate has these marks, and so many errors for each request. */
function marked(record: RunRecord, codes: string[], errors = 0): RunRecord {
  const cases = record.cases.map((each) => ({
    ...each,
    warnings: codes.map((code) => ({ code, message: `marked ${code}` })),
    metrics: { ...each.metrics, errors: { value: errors, unit: '1/request', samples: [] } },
  }));
  return { ...record, cases };
}

describe('what a spec lets pass of a service', () => {
  it("is the baseline's where it gates the service, and else its own", () => {
    expect(governedServices(closing, spec)).toEqual(spec.services);
    expect(governedServices(spec, closing)).toEqual(closing.services);
    expect(governedServices(closing, { ...spec, services: [] })).toEqual(closing.services);
    const reference = having({ role: 'reference' });
    expect(governedServices(closing, reference)).toEqual(closing.services);
    const other = { ...failing, services: failing.services.map((service) => ({ ...service, port: 1 })) };
    expect(governedServices(other, spec)[0]).toEqual({ ...spec.services[0], port: 1 });
  });

  it('is told where both specs differ in it', () => {
    const both = having({ keepAlive: 'closes', errors: { max: 0.05 } });
    expect(governedWarnings(both, spec)).toEqual([
      {
        code: 'service-load-differs',
        message: "Both specs differ in `keep-alive`, `errors` of go: the baseline's spec counts.",
      },
    ]);
    expect(governedWarnings(spec, spec)).toEqual([]);
  });
});

describe('a gateway that both specs have', () => {
  const gateway = (config?: string): Gateway => ({
    kind: 'nginx',
    image: 'nginx:1',
    ...(config === undefined ? {} : { config }),
  });
  const told = (now: Gateway | null, before: Gateway | null) =>
    governedWarnings({ ...spec, gateway: now }, { ...spec, gateway: before });

  it('has the configuration of the baseline, and the rest of its own', () => {
    const own = { ...gateway('new.conf'), image: 'nginx:2', endpoints: ['ping'] };
    expect(governedGateway(own, gateway('old.conf'))).toEqual({ ...own, config: 'old.conf' });
    expect(governedGateway(own, gateway())).toEqual({ ...gateway(), image: 'nginx:2', endpoints: ['ping'] });
    expect(governedGateway(gateway(), gateway('old.conf'))).toEqual(gateway('old.conf'));
    expect(governedGateway(own, null)).toEqual(own);
    expect(governedGateway(null, gateway('old.conf'))).toBeNull();
  });

  it('says where both differ in it', () => {
    expect(told(gateway('new.conf'), gateway('old.conf'))).toEqual([
      {
        code: 'gateway-differs',
        message: "Both specs differ in `gateway.config`: the baseline's spec counts for both sides.",
      },
    ]);
    expect(told(gateway('one.conf'), gateway('one.conf'))).toEqual([]);
    expect(told(gateway('one.conf'), null)).toEqual([]);
  });
});

describe('a record whose own spec lets more pass than the base', () => {
  const record = recordOf({ rounds: 20 });

  it('is invalid for a service that closes connections, which the base expects it to keep', () => {
    const run = { ...marked(record, ['closes-connections']), spec: closing };
    expect(runVerdict(rejudged(run, known({ baseSpec: spec })))).toBe('invalid');
    expect(runVerdict(rejudged(run, known({ baseSpec: closing })))).toBe('no-change');
    expect(heldToBaseline(run, closing)).toBe(run);
  });

  it('is invalid for errors beyond what the base lets pass', () => {
    const run = { ...marked(record, ['errors-let-pass'], 0.04), spec: failing };
    const verdict = (baseSpec: ResolvedSpec) => runVerdict(rejudged(run, known({ baseSpec })));
    expect(verdict(failing)).toBe('no-change');
    expect(verdict(having({ errors: { max: 0.01 } }))).toBe('invalid');
    expect(verdict(spec)).toBe('invalid');
  });

  it('against stored numbers is held to the stored spec', () => {
    const alone = recordOf({ comparing: null, cases: [{ only: 'candidate' }] });
    const head = { ...marked(alone, ['closes-connections']), spec: closing };
    const invalid = (of: ResolvedSpec) =>
      storedComparison({ ...alone, id: 'base', spec: of }, head).gate.invalid.map(({ message }) => message);
    expect(invalid(closing)).toEqual([]);
    expect(invalid(spec)).toEqual([
      "candidate: marked closes-connections. The baseline's spec expects it to keep them.",
    ]);
  });
});
