import { chooseCommit, shortSha } from '../../core/baseline/commit.ts';
import { type BaselinePhrase, readBaselinePhrase } from '../../core/config/baseline-phrase.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { ended } from '../../core/format/sentence.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { BaselinePlan, BaselineRequest } from './baseline-plan.ts';
import type { Context } from './candidate.ts';
import { baselineSpec } from './of-commit.ts';

/**
 * What a pull request is to be merged into has the last word on how it is judged: its spec, or why that cannot be read.
 * Null outside of a pull request, and where its base has no spec that could say anything.
 */
export async function pullRequestBase({
  adapters,
  checkout,
  noCheckout,
}: Context): Promise<{ spec: ResolvedSpec } | { unread: string } | null> {
  if (adapters.workflow.event !== 'pull_request') return null;
  if (checkout === null) return { unread: noCheckout };
  const choice = chooseCommit(checkout.facts, adapters.workflow);
  if ('code' in choice) return choice.code === 'shallow-checkout' ? { unread: choice.message } : null;
  const text = await checkout.repository.textAt(choice.sha, checkout.specPath);
  if (text === null) return null;
  // Nothing of its data matters here.
  const spec = await baselineSpec(text, checkout.specPath, shortSha(choice.sha), async () => []);
  return 'code' in spec ? { unread: ended(spec.message.split('\n', 1)[0]!.replace(/:$/, '')) } : { spec };
}

type Base = Awaited<ReturnType<typeof pullRequestBase>>;

/** A pull request cannot choose by its own spec what it is held against. */
export function governingPhrase(
  { phrase, phraseFrom, spec }: BaselineRequest,
  base: Base,
): { phrase: BaselinePhrase; warnings: Reason[] } {
  const own = spec.gate.baseline;
  if (phraseFrom === 'call' || base === null) return { phrase, warnings: [] };
  if ('unread' in base) {
    if (own === 'auto') return { phrase, warnings: [] };
    const message = `This pull request sets gate.baseline to ${own}; auto is taken, since what its base has cannot be read. ${base.unread}`;
    return { phrase: { kind: 'auto' }, warnings: [{ code: 'baseline-of-base-unknown', message }] };
  }
  const ofBase = base.spec.gate.baseline;
  if (ofBase === own) return { phrase, warnings: [] };
  const message = `This pull request sets gate.baseline to ${own}; until it is merged, ${ofBase} holds, as its base has it.`;
  return { phrase: readBaselinePhrase(ofBase), warnings: [{ code: 'baseline-of-base', message }] };
}

/** An image has no spec of its own, and nothing at all has no limits but the candidate's. */
export function judgedByBase(plan: BaselinePlan, phrase: BaselinePhrase, base: Base): BaselinePlan {
  if (base === null || plan.kind === 'none' || plan.kind === 'stored') return plan;
  if (plan.kind === 'built' && phrase.kind !== 'image') {
    const { fallback } = plan;
    return fallback === null
      ? plan
      : { ...plan, fallback: async (why) => judgedByBase(await fallback(why), phrase, base) };
  }
  if ('spec' in base) return plan.kind === 'built' ? { ...plan, gate: base.spec.gate } : plan;
  const message = `The limits are this pull request's own, since those of its base cannot be read. ${base.unread}`;
  return { ...plan, warnings: [{ code: 'limits-of-pull-request', message }, ...plan.warnings] };
}
