import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publishedRecord } from '../../src/core/publication/published-record.ts';
import { publishedText } from '../../src/core/record/published-form.ts';
import { redactedSpec } from '../../src/core/record/redaction.ts';
import { readRunRecord } from '../../src/core/record/run-record-file.ts';
import { agreement, withBlock } from './suites/agreement.ts';
import { DOCUMENTS, type SuiteDocument } from './suites/documents.ts';
import { atLeast, type BenchResult, rounded } from './target.ts';

/**
 * `npm run bench:suites [-- SUITE … --keep --full]`: runs each suite as processes, and says how its ranks agree with its document's.
 * `--keep` writes run, report and the README's block under the suite, and its document where it has a template for one;
 * `--full` leaves `--quick` out.
 */
const CLI = path.resolve('dist/cli.cjs');
const SUITES = path.resolve('fixtures/suites');
const MOST_MINUTES = 60;

const words = process.argv.slice(3);
const asked = words.filter((word) => !word.startsWith('--'));
const isKept = words.includes('--keep');
const isQuick = !words.includes('--full');

export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const unknown = asked.find((name) => DOCUMENTS.every(({ suite }) => suite !== name));
  if (unknown !== undefined) {
    throw new Error(`There is no suite ${unknown}: name one of ${DOCUMENTS.map(({ suite }) => suite).join(', ')}.`);
  }
  const result: BenchResult = { figures: {}, targets: [] };
  for (const document of DOCUMENTS.filter(({ suite }) => asked.length === 0 || asked.includes(suite))) {
    prepared(document.suite);
    measured(document, result, say);
  }
  return result;
}

/** A server whose tools are missing is left out, and told; its service does not start then. */
function prepared(suite: string): void {
  spawnSync(process.execPath, ['scripts/suites/prepare.mjs', suite], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function measured(document: SuiteDocument, { figures, targets }: BenchResult, say: (line: string) => void): void {
  const { suite, columns, leastValid } = document;
  const folder = path.join(SUITES, suite);
  const out = mkdtempSync(path.join(tmpdir(), `wrkbench-suite-${suite}-`));
  try {
    say(`${suite}: ${isQuick ? 'a short' : 'a whole'} run`);
    const began = performance.now();
    const run = ['run', path.join(folder, 'wrkbench.yml'), '--runtime', 'process', '--out', path.join(out, 'run')];
    const { status } = called([...run, '--seed', '1', ...(isQuick ? ['--quick'] : [])]);
    figures[`${suite}: minutes`] = rounded((performance.now() - began) / 60_000, 3);
    figures[`${suite}: exit status`] = status ?? 'none';
    const file = path.join(out, 'run', 'run.json');
    if (!existsSync(file)) {
      targets.push(atLeast(`${suite}: services that are valid`, 0, leastValid));
      return;
    }
    const record = readRunRecord(readFileSync(file, 'utf8'), file);
    const readme = path.join(folder, 'README.md');
    const told = agreement(document, readFileSync(readme, 'utf8'), record, isQuick);
    targets.push(atLeast(`${suite}: services that are valid`, told.valid.length, leastValid));
    for (const [at, rank] of told.ranks.entries()) {
      if (rank !== null) figures[`${suite}: rank correlation, ${columns[at]!.title}`] = rounded(rank, 3);
    }
    if (!isKept) return;
    const results = path.join(folder, 'results');
    mkdirSync(results, { recursive: true });
    const kept = publishedRecord({ ...record, spec: redactedSpec(record.spec) }, null, { release: null });
    writeFileSync(path.join(results, 'run.json'), publishedText(kept));
    writeFileSync(
      path.join(results, 'report.md'),
      called(['report', path.join(out, 'run'), '--format', 'markdown']).stdout,
    );
    const template = path.join(folder, 'benchmark.template.md');
    if (existsSync(template)) {
      const into = path.join(folder, 'BENCHMARK.md');
      // Made wholly anew: the sentences are the template's.
      rmSync(into, { force: true });
      called(['report', path.join(out, 'run'), '--template', template, '--into', into]);
    }
    writeFileSync(readme, withBlock(readFileSync(readme, 'utf8'), told.block));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function called(args: string[]) {
  return spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    timeout: MOST_MINUTES * 60_000,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
