import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { recordIn, wrkbench } from './command.ts';

/** Of the machine, not of a service: ab is one thread, and a shell may not be let open 20,000 files. */
const OF_THE_MACHINE = ['generator-bound', 'machine-limit'];

/**
 * Runs a suite as processes by the command that its README names: each of its services is measured. `load` stands in place of the
 * suite's own where that takes too long for a test.
 */
export async function holdSuite(suite: string, services: readonly string[], load: string | null = null): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-suite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const out = path.join(folder, 'run');
  const own = path.resolve('fixtures/suites', suite);
  const spec = path.join(load === null ? own : withLoad(own, load, folder), 'wrkbench.yml');
  const ended = await wrkbench(['run', spec, '--runtime', 'process', '--quick', '--seed', '1', '--out', out]);
  const { cases } = recordIn(out);
  expect(new Set(cases.map(({ service }) => service))).toEqual(new Set(services));
  const wrong = cases.flatMap(({ key, reasons }) =>
    reasons
      .filter(({ code }) => !OF_THE_MACHINE.includes(code))
      .map(({ code, message }) => `${key}: ${code}: ${message}`),
  );
  expect(wrong).toEqual([]);
  const valid = cases.filter(({ status }) => status === 'valid');
  expect(valid.length).toBeGreaterThan(0);
  for (const { key, metrics } of valid) expect(metrics.throughput?.value, key).toBeGreaterThan(0);
  expect(ended.status, ended.stderr).toBe(
    cases.some(({ reasons }) => reasons.some(({ code }) => code === 'generator-bound')) ? 1 : 0,
  );
  const report = readFileSync(path.join(out, 'report.md'), 'utf8');
  for (const service of services) expect(report).toContain(service);
}

/** A folder with all that the suite has, and a spec with another load. */
function withLoad(suite: string, load: string, folder: string): string {
  const text = readFileSync(path.join(suite, 'wrkbench.yml'), 'utf8');
  const changed = text.replace(/^load:.*\n(?: .*\n)*/m, `load: ${load}\n`);
  expect(changed).not.toBe(text);
  // What a spec reads is no link out of its folder; what it starts may be one.
  for (const entry of readdirSync(suite, { withFileTypes: true })) {
    const put = entry.isDirectory() ? symlinkSync : copyFileSync;
    if (entry.name !== 'wrkbench.yml') put(path.join(suite, entry.name), path.join(folder, entry.name));
  }
  writeFileSync(path.join(folder, 'wrkbench.yml'), changed);
  return folder;
}
