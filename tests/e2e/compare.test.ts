import { describe, expect, it } from 'vitest';
import { readComparison } from '../../src/core/comparison/comparison-file.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { storedRun, storedRuns } from '../support/made-up/stored-runs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { wrkbench } from './support/command.ts';

const past = storedRuns(20, { seed: 3 });
const base = past.at(-1)!;
const head = storedRun({ day: 21, seed: 77 });
const worse = storedRun({ day: 21, seed: 78, ratios: { 'cpu-per-request': 1.5 } });

const text = (record: RunRecord) => JSON.stringify(record);

/** A folder with `base/run.json` and `head/run.json`, and what else is given. */
function folderWith(files: Record<string, string> = {}): string {
  return specFolder({ 'base/run.json': text(base), 'head/run.json': text(head), ...files });
}

const history = Object.fromEntries(past.map((record) => [`past/${record.id}/run.json`, text(record)]));

describe('compare', () => {
  it('says of two records what can and what cannot be concluded', async () => {
    const { status, stdout, stderr } = await wrkbench(['compare', 'base', 'head/run.json'], { cwd: folderWith() });
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain('These are figures of runs that shared no moment of a machine');
    expect(words).toContain('1 of the 10 past runs under these conditions that it takes');
    expect(words).toContain(`Baseline: stored run ${base.id}`);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('with --fail-on-inconclusive fails where it cannot tell', async () => {
    const { status } = await wrkbench(['compare', 'base', 'head', '--fail-on-inconclusive'], { cwd: folderWith() });
    expect(status).toBe(1);
  });

  it('holds a change against past runs, and fails for a regression', async () => {
    const cwd = folderWith({
      'head/run.json': text(worse),
      ...history,
      'past/notes.txt': 'mine',
      'past/torn/run.json': '{',
    });
    const { status, stdout } = await wrkbench(['compare', 'base', 'head', '--history', 'past'], { cwd });
    expect(stdout).toMatch(/Regression/);
    expect(stdout).toMatch(/\+\d\d(\.\d)? ?%/);
    expect(status).toBe(1);
  });

  it('tells between which commits the past went to another level', async () => {
    const before = storedRuns(20, { seed: 3 });
    const after = [21, 22, 23, 24, 25, 26].map((day) =>
      storedRun({ day, seed: day, ratios: { 'cpu-per-request': 1.3 } }),
    );
    const runs = [...before, ...after].map((record, index) => ({
      ...record,
      source: { ...record.source, sha: `${index}`.padStart(2, '0').repeat(20) },
    }));
    const cwd = folderWith(Object.fromEntries(runs.map((record) => [`past/${record.id}/run.json`, text(record)])));
    const [one, other] = runs.slice(-2).map(({ id }) => `past/${id}`) as [string, string];
    const { status, stdout, stderr } = await wrkbench(['compare', one, other, '--history', 'past'], { cwd });
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Change points of the history, the newest first: – 1919191\.\.2020202 \(2026-01-21, 6 runs since\): go · \/ping · keep-alive on · 100 connections: \+3\d\.\d % CPU/,
    );
    expect([status, stderr]).toEqual([0, '']);
  });

  it('as JSON is a comparison that can be read back', async () => {
    const { status, stdout } = await wrkbench(['compare', 'base', 'head', '--json'], { cwd: folderWith(history) });
    expect(readComparison(stdout, 'stdout')).toMatchObject({
      mode: 'stored',
      baseline: { id: base.id },
      candidate: { id: head.id },
      gate: { passed: true },
    });
    expect(status).toBe(0);
  });

  it('of another CPU model tells exact counts alone', async () => {
    const elsewhere = storedRun({ day: 21, seed: 79, queries: 2, environment: { cpuModel: 'Intel Xeon' } });
    const cwd = folderWith({ ...history, 'head/run.json': text(elsewhere) });
    const { status, stdout } = await wrkbench(['compare', 'base', 'head', '--history', 'past'], { cwd });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the candidate on Intel Xeon: only exact counts can be compared');
    expect(status).toBe(1);
  });
});

describe('a wrong call of compare', () => {
  const otherSpec = text({ ...head, spec: { ...head.spec, name: 'graphql-api' } });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['one record alone', ['base'], {}, /missing required argument 'head'/],
    [
      'a file that is not there',
      ['base', 'nowhere.json'],
      {},
      /nowhere\.json: there is no such file\. Name a run\.json/,
    ],
    ['a folder without a run', ['base', '.'], {}, /\.: this folder holds neither run\.json nor journal\.jsonl/],
    [
      'a record that was cut off',
      ['base', 'torn.json'],
      { 'torn.json': text(head).slice(0, 500) },
      /torn\.json ends in the middle/,
    ],
    [
      'a record of another schema',
      ['base', 'later.json'],
      { 'later.json': text({ ...head, schemaVersion: 2 as 1 }) },
      /later\.json: this record was written by a newer wrkbench \(schema 2\)/,
    ],
    ['what is no record', ['base', 'notes.md'], { 'notes.md': '# Notes' }, /notes\.md is not JSON/],
    [
      'a record of another spec',
      ['base', 'other.json'],
      { 'other.json': otherSpec },
      /"rest-api", the candidate of "graphql-api"/,
    ],
    ['a record with itself', ['base', 'base/run.json'], {}, /Both are the same run/],
    [
      'a history that is not there',
      ['base', 'head', '--history', 'nowhere'],
      {},
      /--history nowhere: there is no such folder/,
    ],
  ])('with %s is answered in a sentence, with exit status 2', async (_, args, files, sentence) => {
    const { status, stdout, stderr } = await wrkbench(['compare', ...args], { cwd: folderWith(files) });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('defect');
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});
