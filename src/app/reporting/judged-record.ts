import { startHistory } from '../../core/comparison/stored-history.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { type Known, rejudged } from '../../core/reporting/judgement.ts';
import { contradictions, type MeasuredCommit } from '../../core/reporting/measured-commit.ts';
import type { JudgedRun } from '../../core/reporting/verdict.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import { specsAt } from './base-specs.ts';
import type { Context } from './context.ts';
import type { ReportAdapters } from './report-request.ts';

/** The verdict of a record, by what is known of its run without it. */
export async function judgedRecord(record: RunRecord, context: Context, adapters: ReportAdapters): Promise<JudgedRun> {
  const { request, addressee, accepted, own } = context;
  const { merge, baseSpec } = await basisOf(record, context, adapters);
  // What a branch of the repository's own was called with, its own workflow wrote.
  const ofBranch = addressee.kind === 'branch' ? ((record.comparing ?? record.unpaired)?.accepted ?? []) : [];
  const doubts = contradictions(record, { head: request.run.head.sha, merge });
  return rejudged(record, {
    baseSpec,
    accepted: [...accepted, ...(request.accepted ?? []), ...ofBranch],
    alone: request.alone ?? false,
    only: request.only,
    quick: request.quick,
    failOnInconclusive: request.fail === 'inconclusive',
    doubts: [...(own === null ? [] : [own]), ...doubts],
    stored: addressee.kind === 'pull-request' || record.unpaired != null ? await storedOf(record, adapters) : null,
  });
}

/**
 * The spec that the run is judged by. Of a pull request that of the commit that it was merged into for measuring, as long
 * as that is one of the base branch's: GitHub knows the merge, and the record only names it.
 */
async function basisOf(
  { source, spec }: RunRecord,
  { request, addressee, base, specs }: Context,
  { forge, warn }: ReportAdapters,
): Promise<{ merge: MeasuredCommit['merge']; baseSpec: ResolvedSpec | null }> {
  const fallback = addressee.kind === 'pull-request' ? (specs.get(spec.name) ?? null) : null;
  if (addressee.kind !== 'pull-request' || source.sha === null) return { merge: null, baseSpec: fallback };
  const commit = /^[0-9a-f]{40,64}$/.test(source.sha) ? await forge.commit(source.sha) : null;
  const merge = commit === null ? null : { sha: source.sha, parents: commit.parents };
  const into = merge?.parents.includes(request.run.head.sha) ? merge.parents[0]! : null;
  if (into === null || into === base) return { merge, baseSpec: fallback };
  // Anybody can make a merge of the head and of something slow: it is none of this pull request.
  if (!(await forge.isOnBranch(addressee.pullRequest.base.branch, into))) return { merge: null, baseSpec: fallback };
  return { merge, baseSpec: (await specsAt(into, request.specs, forge, warn)).get(spec.name) ?? null };
}

async function storedOf(record: RunRecord, { history }: ReportAdapters): Promise<Known['stored']> {
  const id = record.unpaired?.baseline?.recordId ?? null;
  if (history === null || id === null) return null;
  const past = startHistory();
  let base: RunRecord | null = null;
  for await (const each of history.all(record.spec.name)) {
    past.add(each);
    if (each.id === id) base = each;
  }
  return base === null ? null : { record: base, history: past.end() };
}
