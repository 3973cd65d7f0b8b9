import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunRecord } from '../../src/core/record/run-record.ts';

const CLI = path.resolve('dist/cli.cjs');

/** The record of `wrkbench run` on a spec, as a user would call it. */
export function recordOfRun(spec: string): RunRecord {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-bench-run-'));
  try {
    writeFileSync(path.join(folder, 'wrkbench.yml'), spec);
    const { status, stderr } = spawnSync(
      process.execPath,
      [CLI, 'run', path.join(folder, 'wrkbench.yml'), '--out', path.join(folder, 'out'), '--runtime', 'docker'],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    if (status !== 0) throw new Error(`wrkbench run exited with ${status}:\n${stderr}`);
    return JSON.parse(readFileSync(path.join(folder, 'out', 'run.json'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of the command to the first byte that it prints. */
export function firstOutputMs(argument: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedNs = process.hrtime.bigint();
    const child = spawn(process.execPath, [CLI, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', () => resolve(Number(process.hrtime.bigint() - startedNs) / 1e6));
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`${argument}: exited with ${code} and printed nothing`)));
  });
}

/** Milliseconds from the start of the command to its end, as whoever calls it waits for it. Rejects where it fails. */
export function commandMs(args: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(performance.now() - startedAt);
      else reject(new Error(`${args.join(' ')}: exited with ${code}`));
    });
  });
}
