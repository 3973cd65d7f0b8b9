import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type JournalEntry, readJournal } from '../../src/core/record/journal.ts';

export interface ComparingRun {
  /** Text of the spec. */
  spec: string;
  /** Beside it: name → text. */
  files?: Readonly<Record<string, string>>;
  /** As after `--baseline`. */
  baseline: string;
  seed: number;
}

/** The folder of a finished run, and how it ended; `release` removes it. */
export interface FinishedRun {
  out: string;
  exitStatus: number;
  /** Its progress, last lines. */
  said: string;
  release(): void;
}

const CLI = path.resolve('dist/cli.cjs');

/** SHA-256 of the command that measures, 12 digits. Its commit is the one whose `dist/` has it. */
export function bundleDigest(): string {
  return createHash('sha256').update(readFileSync(CLI)).digest('hex').slice(0, 12);
}

/** `wrkbench run --baseline`, as a user would call it, in containers and in a folder of its own. */
export async function comparingRun({ spec, files = {}, baseline, seed }: ComparingRun): Promise<FinishedRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-comparing-'));
  const specFile = path.join(folder, 'wrkbench.yml');
  const out = path.join(folder, 'out');
  writeFileSync(specFile, spec);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const args = ['run', specFile, '--baseline', baseline, '--out', out, '--seed', String(seed)];
  const child = spawn(process.execPath, [CLI, ...args, '--runtime', 'docker', '--no-skip'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const exitStatus = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
  return { out, exitStatus, said, release: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Its journal, complete or not; empty where it left none, after saying why. */
export async function journalOfRun(run: ComparingRun, say: (line: string) => void): Promise<JournalEntry[]> {
  const { out, exitStatus, said, release } = await comparingRun(run);
  try {
    const journal = path.join(out, 'journal.jsonl');
    if (existsSync(journal)) return readJournal(readFileSync(journal, 'utf8'), journal);
    say(`wrkbench run ended with ${exitStatus} and left no journal:\n${said}`);
    return [];
  } finally {
    release();
  }
}
