import { describe, expect, it } from 'vitest';
import type { notify } from '../../../src/app/posting/notification.ts';
import type { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { readSpec } from '../../../src/core/config/read.ts';
import type { jsonSchema, referenceTables } from '../../../src/core/config/reference.ts';
import type { needsOf } from '../../../src/core/doctor/needs.ts';
import type { planOf } from '../../../src/core/plan/plan.ts';
import type { judgedRun } from '../../../src/core/posting/verdict.ts';
import type { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import type { reportFormat } from '../../../src/core/report/registry.ts';
import type { terminalTable } from '../../../src/core/report/terminal-table.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { posted } from '../../support/posted.ts';
import { withAddition } from '../../support/with-addition.ts';

const FROM = `
export { notify } from './src/app/posting/notification.ts';
export { judgedRun } from './src/core/posting/verdict.ts';
export { comparisonOf } from './src/core/comparison/comparison-of.ts';
export { readSpec } from './src/core/config/read.ts';
export { SpecError } from './src/core/config/diagnostics.ts';
export { jsonSchema, referenceTables } from './src/core/config/reference.ts';
export { needsOf } from './src/core/doctor/needs.ts';
export { planOf } from './src/core/plan/plan.ts';
export { readRunRecord } from './src/core/record/run-record-file.ts';
export { reportFormat } from './src/core/report/registry.ts';
export { terminalTable } from './src/core/report/terminal-table.ts';
`;

interface Product {
  notify: typeof notify;
  judgedRun: typeof judgedRun;
  comparisonOf: typeof comparisonOf;
  readSpec: typeof readSpec;
  jsonSchema: typeof jsonSchema;
  referenceTables: typeof referenceTables;
  needsOf: typeof needsOf;
  planOf: typeof planOf;
  readRunRecord: typeof readRunRecord;
  reportFormat: typeof reportFormat;
  terminalTable: typeof terminalTable;
}

const SPEC = `name: api
services: {go: {image: acme/go, port: 8080}}
endpoints: {ping: /ping}
load: {toy: {pushes: 3000, connections: [32, 64]}}
`;

/** The product with one generator more, which is wrk but for its part of the spec: a definition, and its line in the registry. */
const product = await withAddition<Product>(FROM, {
  file: 'core/generators/registry.ts',
  before: '\n};',
  line: '\n  toy: toy(),',
  definition: `
import * as zod from 'zod';
import { section, usual } from '../values/section.ts';
import { connectionsKey } from './load.ts';
function toy() {
  const keys = section(
    { pushes: usual(zod.int('a number of pushes'), 1000, 'How often.'), connections: connectionsKey([32], 'At once.') },
    { id: 'toy' },
  );
  return {
    ...wrk, name: 'toy', latencyMeaning: 'from push to squeak',
    loadText: ({ pushes }) => pushes + ' pushes',
    threadsOf: () => null,
    seconds: { ...wrk.seconds, duet: 1.5, load: ({ pushes }) => pushes / 1000 },
    load: {
      description: 'A toy: so many pushes.', example: '{pushes: 10}',
      keys: { ...keys, read: (written) => ({ ...keys.read(written), keepAlive: [true], timeoutSeconds: 2 }) },
      ofCase: ({ pushes }) => ({ generator: 'toy', pushes, timeoutSeconds: 2 }),
      keySuffix: ({ pushes }) => '@' + pushes,
      shortened: (load) => ({ ...load, pushes: 10 }),
      scriptOf: () => null,
      problems: (written) => written.at('pushes') === 13
        ? [{ path: ['pushes'], at: 'value', code: 'wrong-value', message: 'load.toy.pushes is 13: expected luck' }] : [],
      driven: ({ pushes }) => pushes + ' pushes for each case',
    },
  };
}`,
});

/** As `run` leaves it, of the toy instead of wrk. */
function toyRecord(ratios: Record<string, number>) {
  const made = madeUpRecord({ rounds: 12, cases: [{ ratios }] });
  const load = { toy: { pushes: 3000, connections: [100], keepAlive: [true], timeoutSeconds: 2 } };
  const { warmUp, coolDownSeconds } = made.spec.load;
  const text = JSON.stringify({ ...made, spec: { ...made.spec, load: { ...load, warmUp, coolDownSeconds } } });
  const ofToy = text.replaceAll('direct/wrk/keep-alive/100', 'direct/toy/keep-alive/100@3000');
  return product.readRunRecord(ofToy.replaceAll('"generator":"wrk"', '"generator":"toy"'), 'run.json');
}

describe('a generator that is a folder and a line in the registry', () => {
  it('has its part of the spec, with its defaults, in the schema and the reference too', () => {
    expect(product.readSpec(SPEC.replace('pushes: 3000, ', ''), 'wrkbench.yml').load).toMatchObject({
      toy: { pushes: 1000, connections: [32, 64] },
      wrk: null,
    });
    expect(JSON.stringify(product.jsonSchema())).toContain('A toy: so many pushes.');
    expect(Object.values(product.referenceTables()).join('\n')).toContain('| `load.toy.pushes` |');
  });

  it('has its mistakes told at their place', () => {
    const read = (toy: string) => () =>
      product.readSpec(SPEC.replace('{pushes: 3000, connections: [32, 64]}', toy), 'f.yml');
    expect(read('{pushs: 3}')).toThrow('f.yml:4:14: unknown key `pushs` in load.toy: did you mean `pushes`?');
    expect(read('{pushes: 13}')).toThrow('f.yml:4:22: load.toy.pushes is 13: expected luck');
    expect(read('many')).toThrow('load.toy is `many`: expected a map such as {pushes: 10}, on or off');
    expect(read('off, preset: quick, wrk: off')).toThrow('expected at least one of wrk, k6, ab, h2load, toy');
  });

  it('is planned, with its own lengths, and asked of the machine', () => {
    const spec = product.readSpec(SPEC, 'wrkbench.yml');
    const plan = product.planOf(spec, { seed: 1 });
    expect(plan.services.flatMap(({ cases }) => cases.map(({ key }) => key)).sort()).toEqual([
      'go/ping/direct/toy/keep-alive/32@3000',
      'go/ping/direct/toy/keep-alive/64@3000',
    ]);
    expect(product.needsOf(spec, plan).generators).toEqual({ wrk: 0, toy: 2 });
  });

  it('is in a record, and one from before there was it is read as one without', () => {
    expect(toyRecord({}).spec.load).toMatchObject({ toy: { pushes: 3000 }, wrk: null });
    const before = madeUpRecord({ cases: [{}] });
    const read = product.readRunRecord(JSON.stringify(before), 'run.json');
    expect(read.spec.load).toMatchObject({ toy: null });
    expect(read.environment.versions).toMatchObject({ toy: null });
  });

  it('is gated, and in the comment', async () => {
    const record = toyRecord({ 'cpu-per-request': 1.25 });
    const comparison = product.comparisonOf(record);
    expect(comparison.gate.regressions.map(({ metric }) => metric)).toContain('cpu-per-request');
    const { comment } = await posted([product.judgedRun(record, comparison)], product);
    expect(comment).toMatch(
      /^\*\*go · \/ping\*\*\n\n.*\n.*\n\| CPU per request \| 🔴 [\s\S]*^\| go · \/ping · keep-alive on · 100 connections at 3000 \|/m,
    );
  });

  it('is on the terminal, in the report with what it was told and what its latency is, on the page too, and in CSV', () => {
    const record = toyRecord({});
    const comparison = product.comparisonOf(record);
    const rendered = (name: string) =>
      product.reportFormat(name)!.render(record, comparison, { script: '', scriptHash: '' });
    expect(product.terminalTable(record)).toContain('toy');
    for (const format of ['markdown', 'html']) {
      expect(rendered(format)).toContain('3000 pushes for each case');
      expect(rendered(format)).toContain('from push to squeak');
    }
    expect(rendered('csv')).toContain(',toy,');
  });
});
