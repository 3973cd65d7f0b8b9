import { describe, expect, it } from 'vitest';
import type { notify } from '../../../src/app/posting/notification.ts';
import type { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { readSpec } from '../../../src/core/config/read.ts';
import type { jsonSchema, referenceTables } from '../../../src/core/config/reference.ts';
import type { budgetSecondsOf } from '../../../src/core/plan/budget.ts';
import type { detectabilityOf } from '../../../src/core/plan/detectability.ts';
import type { detectabilityText } from '../../../src/core/plan/detectability-text.ts';
import type { planOf } from '../../../src/core/plan/plan.ts';
import type { judgedRun } from '../../../src/core/posting/verdict.ts';
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
export { jsonSchema, referenceTables } from './src/core/config/reference.ts';
export { budgetSecondsOf } from './src/core/plan/budget.ts';
export { detectabilityOf } from './src/core/plan/detectability.ts';
export { detectabilityText } from './src/core/plan/detectability-text.ts';
export { planOf } from './src/core/plan/plan.ts';
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
  budgetSecondsOf: typeof budgetSecondsOf;
  detectabilityOf: typeof detectabilityOf;
  detectabilityText: typeof detectabilityText;
  planOf: typeof planOf;
  reportFormat: typeof reportFormat;
  terminalTable: typeof terminalTable;
}

const SPEC = `name: api
services: {go: {image: acme/go, port: 8080}}
endpoints: {ping: /ping}
load: {wrk: {connections: 64, keep-alive: on}}
gate: {toy-garbage: {max-increase: 4%}}
`;

/** The product with one metric more: a definition, and its line in the registry. */
const product = await withAddition<Product>(FROM, {
  file: 'core/metrics/registry.ts',
  before: '\n];',
  line: '\n  toyGarbage(),',
  definition: `
function toyGarbage(): MetricDefinition {
  return {
    name: 'toy-garbage', title: 'Garbage per toy', unit: 'bytes', better: 'lower', ofProcess: false, gatedBy: 'every case',
    inDuets: 'as measured', sameDataAs: null, limitedByLevelAlone: false, tailRequests: null, needsDatabase: false,
    followsTheMachine: true, movedByCodeLayout: false, usualLimit: null,
    words: { short: 'garbage', up: 'leaves % more garbage', down: 'leaves % less garbage' },
    columns: { terminal: 'toys', results: 'Toys', resources: null, counts: null }, alwaysCompared: false,
    ofTrial: ({ memory }) => memory.peakBytes,
  };
}`,
});

const record = madeUpRecord({
  rounds: 12,
  gate: { metrics: { 'toy-garbage': { maxIncrease: { kind: 'ratio', value: 0.04 } } } },
  cases: [{ levels: { 'toy-garbage': 2048 }, ratios: { 'toy-garbage': 1.2 } }],
});

describe('a metric that is a definition and a line in the registry', () => {
  it('may be limited in a spec, and is in its schema and its reference', () => {
    expect(product.readSpec(SPEC, 'wrkbench.yml').gate.metrics['toy-garbage']).toEqual({
      maxIncrease: { kind: 'ratio', value: 0.04 },
    });
    expect(JSON.stringify(product.jsonSchema())).toContain('Limits of: Garbage per toy, bytes');
    expect(Object.values(product.referenceTables()).join('\n')).toContain('`toy-garbage`');
  });

  it('is in the plan, as one of which nothing was recorded yet', () => {
    const spec = product.readSpec(SPEC, 'wrkbench.yml');
    const plan = product.planOf(spec, { seed: 1 });
    const found = product.detectabilityOf(spec, plan, product.budgetSecondsOf(spec, plan));
    expect(product.detectabilityText(spec, plan, found)).toContain('toy-garbage: how it scatters was not recorded');
  });

  it('is gated', () => {
    const { gate } = product.comparisonOf(record as Parameters<typeof comparisonOf>[0]);
    expect(new Set(gate.regressions.map(({ metric }) => metric))).toEqual(new Set(['toy-garbage']));
  });

  it('is in the comment, in words of its own', async () => {
    const comparison = product.comparisonOf(record as Parameters<typeof comparisonOf>[0]);
    const { comment } = await posted([product.judgedRun(record, comparison)], product);
    expect(comment).toMatch(/leaves \d+(\.\d+)? % more garbage/);
  });

  it('has a column on the terminal and in the report, on the page too, and a row in CSV', () => {
    const comparison = product.comparisonOf(record as Parameters<typeof comparisonOf>[0]);
    const rendered = (name: string) =>
      product.reportFormat(name)!.render(record, comparison, { script: '', scriptHash: '' });
    expect(product.terminalTable(record)).toMatch(/ toys\n/);
    expect(rendered('markdown')).toMatch(/\| +Toys +\|/);
    expect(rendered('html')).toContain('>Toys</th>');
    expect(rendered('csv')).toContain(',toy-garbage,');
  });
});
