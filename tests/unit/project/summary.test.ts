import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { specFolder } from '../../support/spec-folder.ts';

interface Counts {
  passed?: number;
  failed?: number;
  pending?: number;
  todo?: number;
  files?: { name: string; status: string; assertionResults: object[] }[];
}

function reportOf({ passed = 0, failed = 0, pending = 0, todo = 0, files = [] }: Counts) {
  const report = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
    testResults: files,
  };
  return join(specFolder({ 'tests.json': JSON.stringify(report) }), 'tests.json');
}
const summaryOf = (...counts: Counts[]) => run(...counts.map(reportOf));

function run(...paths: string[]) {
  const { stdout, status } = spawnSync(process.execPath, ['scripts/tests/summary.mjs', ...paths], { encoding: 'utf8' });
  return { stdout, status };
}

describe('the last line of CI', () => {
  it('counts what passed', () => {
    expect(summaryOf({ passed: 12 })).toEqual({ stdout: '12 passed, 0 failed\n', status: 0 });
  });

  it('fails with a failed test', () => {
    expect(summaryOf({ passed: 12, failed: 1 })).toEqual({ stdout: '12 passed, 1 failed\n', status: 1 });
  });

  it('fails with a skipped test, and with one still to be written', () => {
    expect(summaryOf({ passed: 12, pending: 1, todo: 1 })).toEqual({
      stdout: '12 passed, 0 failed, 2 skipped\n',
      status: 1,
    });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const files = [{ name: 'tests/unit/a.test.ts', status: 'failed', assertionResults: [] }];
    expect(summaryOf({ passed: 12, files })).toEqual({
      stdout: 'could not be loaded: tests/unit/a.test.ts\n12 passed, 1 failed\n',
      status: 1,
    });
  });

  it('names each failed test with what it said, twelve lines of it, before the counts', () => {
    const failed = {
      status: 'failed',
      fullName: 'a verdict names its case',
      failureMessages: [Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')],
    };
    const passed = { status: 'passed', fullName: 'a verdict stands', failureMessages: [] };
    const files = [{ name: 'tests/unit/a.test.ts', status: 'failed', assertionResults: [passed, failed] }];
    const lines = Array.from({ length: 12 }, (_, index) => `    line ${index + 1}\n`).join('');
    expect(summaryOf({ passed: 1, failed: 1, files })).toEqual({
      stdout: `failed: tests/unit/a.test.ts: a verdict names its case\n${lines}1 passed, 1 failed\n`,
      status: 1,
    });
  });

  it('adds up what several reports tell, of which none may be empty', () => {
    expect(summaryOf({ passed: 12 }, { passed: 30 })).toEqual({ stdout: '42 passed, 0 failed\n', status: 0 });
    expect(summaryOf({ passed: 12 }, { passed: 30, failed: 2 })).toEqual({
      stdout: '42 passed, 2 failed\n',
      status: 1,
    });
    expect(summaryOf({ passed: 12 }, {})).toEqual({ stdout: '12 passed, 0 failed\n', status: 1 });
    expect(run(reportOf({ passed: 12 }), '/nowhere/tests.json')).toEqual({
      stdout: '12 passed, 1 failed\n',
      status: 1,
    });
  });

  it('fails where nothing ran, and where there is no report', () => {
    expect(summaryOf({})).toEqual({ stdout: '0 passed, 0 failed\n', status: 1 });
    expect(run('/nowhere/tests.json')).toEqual({ stdout: '0 passed, 1 failed\n', status: 1 });
  });
});
