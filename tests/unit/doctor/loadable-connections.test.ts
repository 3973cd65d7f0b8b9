import { describe, expect, it } from 'vitest';
import { planReport } from '../../../src/app/plan.ts';
import { specAgain } from '../../../src/app/run/resume.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { quickened } from '../../../src/core/config/selection.ts';
import { withLoadableConnections } from '../../../src/core/doctor/loadable-connections.ts';
import type { JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { machine } from './machines.ts';

const spec = (load: string) =>
  readSpec(
    `name: pong\nservices: {go: {image: acme/api, command: [./go], port: 8080}}\nendpoints: {ping: /ping}\nload: ${load}\ngate: {baseline: none}\n`,
    'wrkbench.yml',
  );
const MANY = spec(
  '{wrk: {connections: [2, 400, 1000, 20000], keep-alive: on}, k6: {connections: [5, 50], keep-alive: on}}',
);
const narrow = machine({ openFiles: { hard: 4096, kernelMost: 1_048_576 } });
const counts = (of: ResolvedSpec) => casesOf(of).map(({ generator, connections }) => `${generator} ${connections}`);

describe('a quick run on a machine that cannot hold the most connections', () => {
  it('takes the fewest, and the most that it can', () => {
    const quick = quickened(withLoadableConnections(MANY, narrow, 'process'));
    expect(counts(quick)).toEqual(['wrk 2', 'wrk 1000', 'k6 5', 'k6 50']);
  });

  it('takes those of the spec where it can hold them', () => {
    const quick = quickened(withLoadableConnections(MANY, machine({}), 'process'));
    expect(counts(quick)).toEqual(['wrk 2', 'wrk 20000', 'k6 5', 'k6 50']);
  });

  it('leaves a generator what it has where none of it can be held', () => {
    const only = spec('{wrk: {connections: [10000, 20000], keep-alive: on}, k6: {connections: [5], keep-alive: on}}');
    expect(counts(withLoadableConnections(only, narrow, 'process'))).toEqual(['wrk 10000', 'wrk 20000', 'k6 5']);
  });

  it('is gone on with by the same connections', () => {
    const before = quickened(withLoadableConnections(MANY, narrow, 'process'));
    const by = (isQuick: boolean) => (own: ResolvedSpec) => (isQuick ? quickened(own) : own);
    const header = { ...journalHeader({ spec: before }), selection: { quick: true, only: null } } as JournalHeader;
    expect(specAgain(MANY, header, by)).toEqual(before);
    const whole = { ...journalHeader({ spec: MANY }), selection: { quick: false, only: null } } as JournalHeader;
    expect(specAgain(MANY, whole, by)).toEqual(MANY);
  });
});

describe('a quick plan', () => {
  const planned = (runtime: 'process' | 'docker', facts = narrow) => {
    const json = planReport(MANY, { seed: 1, quick: true }, facts, runtime).json as {
      services: { cases: { key: string }[] }[];
      notMeasured?: object;
    };
    return { keys: json.services.flatMap(({ cases }) => cases.map(({ key }) => key)).sort(), left: json.notMeasured };
  };

  it('is what a run of it takes', () => {
    const each = (...keys: string[]) => keys.map((key) => `go/ping/direct/${key}`).sort();
    const { keys, left } = planned('process');
    expect(left).toBe(undefined);
    expect(keys).toEqual(
      each('k6/keep-alive/5@60%', 'k6/keep-alive/50@60%', 'wrk/keep-alive/1000', 'wrk/keep-alive/2'),
    );
  });

  it('is by the limits of the runtime that it is asked for', () => {
    const { engine } = machine({});
    const facts = machine({ engine: { ...engine, openFiles: 2000 } as typeof engine });
    expect(planned('process', facts).keys).toContain('go/ping/direct/wrk/keep-alive/20000');
    expect(planned('docker', facts).keys).toContain('go/ping/direct/wrk/keep-alive/1000');
    expect(planned('docker', facts).keys).not.toContain('go/ping/direct/wrk/keep-alive/20000');
  });
});
