import { strToU8, zipSync } from 'fflate';
import { branchHistory } from '../../../src/app/branch-history.ts';
import type { ReportAdapters } from '../../../src/app/posting/report-request.ts';
import { publish } from '../../../src/app/publish.ts';
import type { Acceptance } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { keepAll } from '../../../src/core/publication/change.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';
import { type MemoryBranch, memoryBranch } from '../../support/memory-branch.ts';
import { recordOf } from '../../unit/posting/made-up.ts';
import { onBranch, type World, world } from './given.ts';
import { reportedByTask } from './task.ts';

export const never = new AbortController().signal;
/** The default branch: `ANCHOR` is the release v1.0, and `NOW` the commit that the nightly run measures. */
export const [BEFORE, ANCHOR, ONE, TWO, NOW] = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
  string,
];
export const ITEMS: Acceptance = { cases: '/ping', metric: null, reason: 'for roles' };

export interface Kept {
  sha: string;
  against: string;
  /** Candidate/baseline of CPU per request. */
  ratio: number;
  accepted?: Acceptance[];
}

export function runOf({ sha, against, ratio, accepted = [] }: Kept, id = '20261120-092802-0a1b2c'): RunRecord {
  const record = recordOf({ id, rounds: 20, cases: [{ ratios: { 'cpu-per-request': ratio } }] });
  const comparing = record.comparing!;
  const spec = { ...record.spec, gate: { ...record.spec.gate, anchor: 'commit:v1.0' } };
  const baseline = { ...comparing.baseline, sha: against };
  const gate = { ...comparing.gate, anchor: 'commit:v1.0' };
  return { ...record, spec, source: { ...record.source, sha }, comparing: { ...comparing, baseline, gate, accepted } };
}

/** A data branch with these runs, one a day. */
export async function branchWith(kept: readonly Kept[]): Promise<MemoryBranch> {
  const branch = memoryBranch();
  for (const [day, each] of kept.entries()) {
    const record = runOf(each, `2026110${day + 1}-000000-00000a`);
    const options = { retention: keepAll, squash: false, pages: pagesSource, now: new Date(0), warn: () => {} };
    await publish(record, comparisonOf(record), branch.publisher(), { ...options, workflowRun: 100 + day }, never);
  }
  return branch;
}

/** What the measuring job of `NOW` left: a run, and one against the anchor. */
export function nightlyRun(
  given: World,
  total: number,
  { ratio = 1, event = 'schedule', message = 'Add roles', anchorSha = ANCHOR } = {},
): void {
  onBranch(given, { event, sha: NOW, message });
  given.forge.branches.set('main', [NOW, TWO, ONE, ANCHOR, BEFORE]);
  const record = runOf({ sha: NOW, against: TWO, ratio });
  const anchor = runOf({ sha: NOW, against: anchorSha, ratio: total }, '20261120-093802-0a1b2c');
  const files = { 'run.json': strToU8(JSON.stringify(record)), 'anchor/run.json': strToU8(JSON.stringify(anchor)) };
  given.forge.artifacts.push({ id: 500, run: 7301, name: 'wrkbench-rest-api', zip: zipSync(files), expired: false });
}

/** The nightly run of `NOW`, which is `total` times as costly as the anchor, is reported by a job after it. */
export async function nightly(
  kept: readonly Kept[],
  total: number,
  { ratio = 1, event = 'schedule', message = 'Add roles' } = {},
): Promise<{ given: World; said: string[]; text: string; verdict: string; reads: string[][] }> {
  const given = await world();
  nightlyRun(given, total, { ratio, event, message });
  const branch = await branchWith(kept);
  branch.reads.splice(0);
  const publisher = branch.publisher();
  await publisher.entries(never);
  const adapters: Partial<ReportAdapters> = {
    history: branchHistory(publisher, never, (text) => given.warnings.push(text)),
  };
  const { said, verdict } = await reportedByTask(given, undefined, adapters);
  return { given, said, verdict, text: given.summaries.at(-1)!, reads: branch.reads };
}

/** Of the summary, what stands between the line of the anchor and what is folded. */
export function sinceIn(text: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('**Since the anchor**'));
  const end = lines.findIndex((line, at) => at > start && line.startsWith('<details>'));
  return lines.slice(start + 1, end).filter((line) => line !== '');
}

export const plain = (sha: string, against: string): Kept => ({ sha, against, ratio: 1 });
