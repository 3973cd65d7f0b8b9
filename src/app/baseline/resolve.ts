import { unknownCommitSentence } from '../../core/baseline/commit.ts';
import type { BaselinePhrase } from '../../core/config/baseline-phrase.ts';
import { counted } from '../../core/format/figures.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { UserError } from '../../core/user-error.ts';
import { MachineLacks } from '../failures.ts';
import { autoBaseline, chosenCommit, nearestRecord } from './auto.ts';
import type { BaselineAdapters, BaselinePlan, BaselineRequest } from './baseline-plan.ts';
import { type Context, contextOf } from './candidate.ts';
import { baselineOfCommit } from './of-commit.ts';
import { baselineOfImage } from './of-image.ts';
import { baselineOfNumbers, baselineOfRecordedImages } from './of-record.ts';
import { governingPhrase, judgedByBase, pullRequestBase } from './pull-request.ts';
import { recordAt } from './read-record.ts';

/**
 * What the candidate is to be compared with. Throws `UserError` where what was named cannot be, and `MachineLacks` where it
 * cannot be had here; `auto` throws neither, and says in its warnings which better ways were closed.
 */
export async function resolveBaseline(
  request: BaselineRequest,
  adapters: BaselineAdapters,
  signal: AbortSignal,
): Promise<BaselinePlan> {
  const context = await contextOf(request, adapters, signal);
  const base = await pullRequestBase(context);
  const { phrase, warnings } = governingPhrase(request, base);
  const governing = base !== null && 'spec' in base ? base.spec : null;
  const plan = await planOfPhrase(phrase, { ...context, governing });
  return withWarnings(judgedByBase(plan, phrase, base), warnings);
}

function withWarnings(plan: BaselinePlan, warnings: Reason[]): BaselinePlan {
  if (plan.kind === 'none') return plan;
  const all = [...warnings, ...plan.warnings];
  if (plan.kind !== 'built') return { ...plan, warnings: all };
  const { fallback } = plan;
  const next = fallback === null ? null : async (why: string) => withWarnings(await fallback(why), warnings);
  return { ...plan, warnings: all, fallback: next };
}

async function planOfPhrase(phrase: BaselinePhrase, context: Context): Promise<BaselinePlan> {
  switch (phrase.kind) {
    case 'none':
      return { kind: 'none' };
    case 'auto':
      return await autoBaseline(context);
    case 'stored':
      return await storedBaseline(context);
    case 'image':
      return baselineOfImage(context, phrase);
    case 'commit':
      return await namedCommit(phrase.ref, context);
    case 'record':
      return await namedRecord(phrase.path, context);
  }
}

async function namedCommit(ref: string, context: Context): Promise<BaselinePlan> {
  const { checkout, noCheckout } = context;
  if (checkout === null) {
    throw new UserError(
      `The baseline commit:${ref} names nothing. ${noCheckout} Use --baseline image:REFERENCE or record:PATH.`,
    );
  }
  const sha = await checkout.repository.commitOf(ref);
  if (sha === null) throw new UserError(unknownCommitSentence(ref, checkout.facts.shallow));
  const why = sha.startsWith(ref) ? null : ref;
  const plan = await baselineOfCommit(context, checkout, { sha, why, recordId: null });
  if ('kind' in plan) return plan;
  throw plan.code === 'wrong-baseline-spec' ? new UserError(plan.message) : new MachineLacks(plan.message);
}

/** Its images, its commit, or else its numbers. */
async function namedRecord(path: string, context: Context): Promise<BaselinePlan> {
  const { checkout, request, adapters } = context;
  const record = await recordAt(path, request, adapters.files);
  const images = await baselineOfRecordedImages(context, record);
  if ('kind' in images) return images;
  const closed: Reason[] = [images];
  const sha =
    checkout === null || record.source.sha === null ? null : await checkout.repository.commitOf(record.source.sha);
  if (checkout !== null && sha !== null) {
    const why = `that of run ${record.id}`;
    const built = await baselineOfCommit(context, checkout, { sha, why, recordId: record.id });
    if ('kind' in built && built.kind === 'built') return { ...built, warnings: [...closed, ...built.warnings] };
    closed.push(...('kind' in built ? built.warnings : [built]));
  }
  const stored = baselineOfNumbers(context, record);
  return { ...stored, warnings: [...closed, ...stored.warnings] };
}

async function storedBaseline(context: Context): Promise<BaselinePlan> {
  const { ancestors } = await chosenCommit(context);
  const record = await nearestRecord(context, ancestors);
  if (!('code' in record)) return baselineOfNumbers(context, record);
  const why = record.code === 'no-earlier-run' ? ((await runsOfOthers(context, ancestors)) ?? record) : record;
  return { kind: 'first', candidateOrigin: context.candidateOrigin, warnings: [why] };
}

/**
 * Who asked for stored runs, or is a pull request, passes by no history of another line: that of its base was pushed away, or is further
 * back than is looked. Null where this spec was never measured.
 */
async function runsOfOthers({ request, adapters }: Context, ancestors: readonly string[]): Promise<Reason | null> {
  const isWanted = request.phraseFrom === 'call' || adapters.workflow.event === 'pull_request';
  if (!isWanted || ancestors.length === 0) return null;
  const near = new Set(ancestors);
  for await (const { source } of adapters.history.all(request.spec.name, null)) {
    // One that measured only a part is told as such.
    if (source.sha !== null && near.has(source.sha)) return null;
    const message = `Earlier runs of ${request.spec.name} are in ${adapters.history.place}, and none of them is of the ${counted(ancestors.length, 'commit')} before this one. Rebase, or name what to compare with: --baseline commit:REF or record:PATH`;
    return { code: 'earlier-runs-of-others', message };
  }
  return null;
}
