import { chooseCommit, unknownCommitSentence } from '../../core/baseline/commit.ts';
import { type BaselinePhrase, readBaselinePhrase } from '../../core/baseline/phrase.ts';
import type { Reason } from '../../core/record/run-record.ts';
import { Refusal } from '../../core/refusal.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import { MachineLacks } from '../failures.ts';
import { autoBaseline, chosenCommit, nearestRecord } from './auto.ts';
import type { BaselineAdapters, BaselinePlan, BaselineRequest } from './baseline-plan.ts';
import { type Context, contextOf } from './candidate.ts';
import { baselineOfCommit, baselineSpec } from './of-commit.ts';
import { baselineOfImage } from './of-image.ts';
import { baselineOfNumbers, baselineOfRecordedImages } from './of-record.ts';
import { recordAt } from './read-record.ts';

/**
 * What the candidate is to be compared with. Throws `Refusal` where what was named cannot be, and `MachineLacks` where it
 * cannot be had here; `auto` throws neither, and says in its cautions which better ways were closed.
 */
export async function resolveBaseline(
  request: BaselineRequest,
  adapters: BaselineAdapters,
  signal: AbortSignal,
): Promise<BaselinePlan> {
  const context = await contextOf(request, adapters, signal);
  const base = await specOfPullRequestBase(context);
  const { phrase, cautions } = governingPhrase(request, base);
  const plan = await planOfPhrase(phrase, context);
  // An image has no spec of its own.
  if (plan.kind === 'built' && phrase.kind === 'image' && base !== null) plan.gate = base.gate;
  return withCautions(plan, cautions);
}

function withCautions(plan: BaselinePlan, cautions: Reason[]): BaselinePlan {
  if (plan.kind === 'none') return plan;
  const all = [...cautions, ...plan.cautions];
  if (plan.kind !== 'built') return { ...plan, cautions: all };
  const { otherwise } = plan;
  const next = otherwise === null ? null : async (why: string) => withCautions(await otherwise(why), cautions);
  return { ...plan, cautions: all, otherwise: next };
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

/** What a pull request is to be merged into has the last word on how it is judged; null outside of one. */
async function specOfPullRequestBase({ adapters, checkout }: Context): Promise<ResolvedSpec | null> {
  if (checkout === null || adapters.workflow.event !== 'pull_request') return null;
  const choice = chooseCommit(checkout.facts, adapters.workflow);
  const text = 'why' in choice ? await checkout.repository.textAt(choice.sha, checkout.specPath) : null;
  const spec = text === null ? null : baselineSpec(text, checkout.specPath, '');
  return spec === null || 'code' in spec ? null : spec;
}

function governingPhrase(
  { phrase, phraseFrom, spec }: BaselineRequest,
  base: ResolvedSpec | null,
): { phrase: BaselinePhrase; cautions: Reason[] } {
  if (phraseFrom === 'call' || base === null || base.gate.baseline === spec.gate.baseline) {
    return { phrase, cautions: [] };
  }
  const message =
    `This pull request sets gate.baseline to ${spec.gate.baseline}; until it is merged, ${base.gate.baseline} holds, ` +
    'as its base has it.';
  return { phrase: readBaselinePhrase(base.gate.baseline), cautions: [{ code: 'baseline-of-base', message }] };
}

async function namedCommit(ref: string, context: Context): Promise<BaselinePlan> {
  const { checkout, noCheckout } = context;
  if (checkout === null) {
    throw new Refusal(
      `The baseline commit:${ref} names nothing. ${noCheckout} Use --baseline image:REFERENCE or record:PATH.`,
    );
  }
  const sha = await checkout.repository.commitOf(ref);
  if (sha === null) throw new Refusal(unknownCommitSentence(ref, checkout.facts.shallow));
  const why = sha.startsWith(ref) ? null : ref;
  const plan = await baselineOfCommit(context, checkout, { sha, why, recordId: null });
  if ('kind' in plan) return plan;
  throw plan.code === 'wrong-baseline-spec' ? new Refusal(plan.message) : new MachineLacks(plan.message);
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
    if ('kind' in built && built.kind === 'built') return { ...built, cautions: [...closed, ...built.cautions] };
    closed.push(...('kind' in built ? built.cautions : [built]));
  }
  const stored = baselineOfNumbers(context, record);
  return { ...stored, cautions: [...closed, ...stored.cautions] };
}

async function storedBaseline(context: Context): Promise<BaselinePlan> {
  const { ancestors } = await chosenCommit(context);
  const record = await nearestRecord(context, ancestors);
  if ('code' in record) return { kind: 'first', candidateOrigin: context.candidateOrigin, cautions: [record] };
  return baselineOfNumbers(context, record);
}
