import { describe, expect, it } from 'vitest';
import { TestbedError, type TestbedRequest } from '../../../src/app/ports/testbed.ts';
import { absentServices } from '../../../src/core/baseline/absent-services.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';

/** `go`, and `rust`, which is optional where it says so. */
function twoServices(isOptional: boolean): ResolvedSpec {
  const spec = smallSpec([{}], ['go', 'rust']);
  const services = spec.services.map((each) =>
    each.name === 'rust' && isOptional ? { ...each, optional: true as const } : each,
  );
  return { ...spec, services };
}

const failing = (variants: readonly string[]) => ({
  start: ({ variant, service }: TestbedRequest) =>
    service.name === 'rust' && variants.includes(variant)
      ? new TestbedError('not-ready', 'It does not answer.', ['no such library'])
      : null,
});
const keysOf = ({ cases }: RunRecord) => cases.map(({ variant, service }) => `${variant} ${service}`).sort();
const reason = { code: 'not-ready', message: 'rust: It does not answer.\n    no such library' };

describe('an optional service that cannot be started', () => {
  it('is absent with its reason where the baseline calls it optional as well, and fails nothing', async () => {
    const { record, comparison, log } = await comparingRun({
      candidate: twoServices(true),
      machine: failing(['candidate']),
    });
    expect(keysOf(record)).toEqual(['baseline go', 'candidate go']);
    expect(absentServices(record)).toEqual([{ service: 'rust', variant: 'candidate', reason }]);
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [], notMeasured: [] });
    expect(comparison.warnings).toEqual([{ code: 'absent', message: 'Absent: rust (optional): It does not answer.' }]);
    expect(log).toContain('warn Absent: rust (optional): It does not answer.');
  });

  it('is invalid where the baseline needs it: a change cannot take it out of its own gate', async () => {
    const { record, comparison } = await comparingRun({
      candidate: twoServices(true),
      baseline: twoServices(false),
      machine: failing(['candidate']),
    });
    expect(absentServices(record)).toEqual([]);
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: 'rust/ping/direct/wrk/keep-alive/100' }],
    });
  });

  it('is absent where the baseline does not have it', async () => {
    const { record, comparison } = await comparingRun({
      candidate: twoServices(true),
      baseline: smallSpec(),
      machine: failing(['candidate']),
    });
    expect(absentServices(record)).toEqual([{ service: 'rust', variant: 'candidate', reason }]);
    expect(comparison.gate).toMatchObject({ passed: true, new: [] });
  });

  it('as the baseline alone leaves a candidate that is measured, and new', async () => {
    const { record, comparison } = await comparingRun({
      candidate: twoServices(true),
      machine: failing(['baseline']),
    });
    expect(keysOf(record)).toEqual(['baseline go', 'candidate go', 'candidate rust']);
    expect(absentServices(record).map(({ variant }) => variant)).toEqual(['baseline']);
    expect(comparison.gate).toMatchObject({
      passed: true,
      invalid: [],
      new: [{ caseKey: 'rust/ping/direct/wrk/keep-alive/100' }],
    });
  });

  it('on neither side is named, and nothing of it is measured', async () => {
    const { record } = await comparingRun({
      candidate: twoServices(true),
      machine: failing(['baseline', 'candidate']),
    });
    expect(keysOf(record)).toEqual(['baseline go', 'candidate go']);
    expect(absentServices(record).map(({ variant }) => variant)).toContain('candidate');
  });

  it('is there after all where a run that goes on can start it', async () => {
    const { journal } = await comparingRun({ candidate: twoServices(true), machine: failing(['candidate']) });
    const resumed = journal.filter(({ kind }) => kind !== 'end');
    const { record, comparison } = await comparingRun({ candidate: twoServices(true), resumed });
    expect(absentServices(record)).toEqual([]);
    expect(keysOf(record)).toEqual(['baseline go', 'baseline rust', 'candidate go', 'candidate rust']);
    expect(comparison.gate.passed).toBe(true);
  });

  describe('as the baseline alone, in a run that goes on', () => {
    const until = async () => {
      const { journal } = await comparingRun({ candidate: twoServices(true), machine: failing(['baseline']) });
      return journal.filter(({ kind }) => kind !== 'end');
    };
    const throughputOf = ({ cases }: RunRecord) =>
      cases.flatMap(({ variant, service, metrics }) =>
        service === 'rust' ? [`${variant} ${metrics.throughput?.value}`] : [],
      );

    it('has published figures of both sides where it can be started by then', async () => {
      const { record, comparison } = await comparingRun({ candidate: twoServices(true), resumed: await until() });
      expect(absentServices(record)).toEqual([]);
      expect(throughputOf(record).sort()).toEqual(['baseline 1000', 'candidate 1000']);
      const solo = record.cases.map(({ metrics }) =>
        metrics.throughput!.samples.some(({ mode, round }) => mode === 'solo' && round === 0),
      );
      expect(solo).toEqual([true, true, true, true]);
      expect(comparison.gate).toMatchObject({ passed: true, invalid: [], new: [] });
    });

    it('stays absent where it cannot, and its candidate, which was measured, stays new', async () => {
      const { record, comparison, log } = await comparingRun({
        candidate: twoServices(true),
        resumed: await until(),
        machine: failing(['baseline']),
      });
      expect(absentServices(record).map(({ variant }) => variant)).toEqual(['baseline']);
      expect(throughputOf(record)).toEqual(['candidate 1000']);
      expect(log.filter((line) => line.startsWith('wrk'))).toEqual([]);
      expect(comparison.gate).toMatchObject({ passed: true, invalid: [] });
    });
  });

  it('is not absent once something of it was measured', async () => {
    const { journal } = await comparingRun({ candidate: twoServices(true), baseline: smallSpec([{}], ['go', 'rust']) });
    const isFirstOfRust = (text: string) => text.includes('rust/') && text.includes('"kind":"trial"');
    const until = journal.findIndex((entry) => isFirstOfRust(JSON.stringify(entry)));
    const { record } = await comparingRun({
      candidate: twoServices(true),
      resumed: journal.slice(0, until + 1),
      machine: failing(['baseline', 'candidate']),
    });
    expect(absentServices(record)).toEqual([]);
    expect(record.cases.filter(({ service }) => service === 'rust').map(({ status }) => status)).toContain('invalid');
  });
});
