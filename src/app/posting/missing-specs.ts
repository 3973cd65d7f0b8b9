import { shortSha } from '../../core/baseline/commit.ts';
import type { LostRun } from '../../core/posting/lost-run.ts';
import type { RemovedSpec } from '../../core/posting/removed-spec.ts';
import type { FoundRecord } from './artifact-records.ts';
import { type SpecsAt, specsAt } from './base-specs.ts';
import type { Context } from './context.ts';
import { takenAway } from './removed-specs.ts';
import type { ReportAdapters } from './report-request.ts';

/** What a run was to measure, and left nothing of that can be read. */
export interface MissingSpecs {
  missing: LostRun[];
  /** Those that the pull request has taken away, as somebody accepted: nothing was to be left of them. */
  removed: RemovedSpec[];
  /** That the run left nothing at all, a sentence; null where it left something, or rightly has nothing. */
  nothing: string | null;
}

/**
 * Specs of the base that no artifact tells of, and artifacts that cannot be read. Rejects with `ForgeFailure` where nobody knows what
 * there was to measure: that is not the same as nothing to tell.
 */
export async function missingSpecs(
  found: readonly FoundRecord[],
  context: Context,
  adapters: ReportAdapters,
): Promise<MissingSpecs> {
  const failed = found.flatMap((each) => ('failure' in each ? [{ specName: each.specName, why: each.failure }] : []));
  const present = new Set(found.map(({ specName }) => specName));
  const absent = [...context.specs.keys()].filter((specName) => !present.has(specName));
  const gone = await takenAway(absent, context, adapters);
  const told = new Set([...gone.removed, ...gone.missing].map(({ specName }) => specName));
  const others = absent.filter((specName) => !told.has(specName));
  const missing = [...failed, ...gone.missing, ...others.map((specName) => ({ specName, why: endOf(context) }))];
  const isTold = found.length > 0 || absent.length > 0;
  return isTold ? { missing, removed: gone.removed, nothing: null } : await withoutAny(context, adapters);
}

function endOf({ request: { run } }: Pick<Context, 'request'>): string {
  return run.conclusion === 'success' ? 'the run left no artifact of it' : `the run ended with ${run.conclusion}`;
}

/** Of a run without any artifact, where the base has no spec that can be read. */
async function withoutAny(context: Context, { forge, warn }: ReportAdapters): Promise<MissingSpecs> {
  const { request, recipient, unread } = context;
  const { run, specs: patterns, records } = request;
  if (unread !== null) throw unread;
  const rightly: MissingSpecs = { missing: [], removed: [], nothing: null };
  // The job itself knows what it has measured; of a run that was skipped no job was to measure anything.
  if (records !== undefined || run.conclusion === 'skipped') return rightly;
  // The first spec of a repository is in the pull request that adds it.
  const isFirst = recipient.kind === 'pull-request' && context.wrong.length === 0;
  const known: SpecsAt = isFirst ? await specsAt(run.head.sha, patterns, forge, warn) : context;
  if (known.unread !== null) throw known.unread;
  const hasSpecs = known.specs.size > 0 || known.wrong.length > 0;
  if (!hasSpecs && ['success', 'neutral'].includes(run.conclusion ?? '')) return rightly;
  const sha = isFirst ? run.head.sha : (context.base ?? run.head.sha);
  const mistaken = known.wrong.flatMap(({ name, path }) =>
    name === null ? [] : [{ specName: name, why: `${endOf(context)}, and ${path} at ${shortSha(sha)} has mistakes` }],
  );
  return {
    removed: [],
    missing: [...[...known.specs.keys()].map((specName) => ({ specName, why: endOf(context) })), ...mistaken],
    nothing: `Run ${run.id} ended with ${run.conclusion} and left no result of any spec. Its log says why: ${run.url}`,
  };
}
