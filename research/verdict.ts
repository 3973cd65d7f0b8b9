import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BenchResult } from '../scripts/bench/target.ts';
import { longHistory } from './verdict/long-history.ts';
import { longSeries } from './verdict/long-series.ts';
import { markdownOf } from './verdict/markdown.ts';
import { memoryGrowth } from './verdict/memory-growth.ts';
import { replayed } from './verdict/replay.ts';
import { resultsByWorkers, workIfWorker } from './verdict/workers.ts';

workIfWorker();

/**
 * Whether verdicts can be trusted: the decision code on recorded and simulated null comparisons, beside what other tools
 * do, and on a long history. `--noise DIR` holds the recordings, `--markdown FILE` takes the tables, `--matrices N`, `--seed N` and
 * `--only SOURCES` (the beginning of their names) are for a closer look. `--live` measures real containers instead.
 */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  if (process.argv.includes('--live')) return (await import('./verdict/live.ts')).figuresAndTargets(say);
  const { markdown, ...options } = optionsOf(process.argv.slice(2));
  // First, while the process holds nothing else.
  const history = longHistory(say);
  const series = longSeries(say);
  const growth = memoryGrowth(options.noise, options.seed, say);
  const replay = await replayed(options, (indices) => resultsByWorkers(indices, options, say), say);
  if (markdown !== undefined) writeFileSync(markdown, markdownOf(replay));
  return {
    figures: { ...history.figures, ...replay.figures, ...growth.figures },
    targets: [...replay.targets, ...history.targets, ...growth.targets, ...series.targets],
  };
}

function optionsOf(args: string[]) {
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      noise: { type: 'string', default: 'research/recordings/noise' },
      markdown: { type: 'string' },
      matrices: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '20261120' },
      only: { type: 'string', default: '' },
    },
  });
  return { ...values, matrices: Number(values.matrices), seed: Number(values.seed) };
}
