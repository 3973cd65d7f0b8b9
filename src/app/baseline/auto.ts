import { type ChosenCommit, chooseCommit, isChanged } from '../../core/baseline/commit.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import type { BaselinePlan, BuiltBaseline } from './baseline-plan.ts';
import type { Checkout, Context } from './candidate.ts';
import { baselineOfCommit } from './of-commit.ts';
import { baselineOfNumbers, baselineOfRecordedImages } from './of-record.ts';

/** How far back along the main line an earlier run is looked for. */
const MOST_ANCESTORS = 1000;

/**
 * In this order: both sides built in this job, the image that an earlier run measured, its numbers, nothing. Each way that
 * was closed is a warning of the one that was taken.
 */
export async function autoBaseline(context: Context): Promise<BaselinePlan> {
  const { commit, ancestors, absent } = await chosenCommit(context);
  if (commit === null || context.checkout === null) {
    return await ofEarlierRun(context, ancestors, absent === null ? [] : [absent]);
  }
  const plan = await baselineOfCommit(context, context.checkout, { ...commit, recordId: null });
  if (!('kind' in plan)) return await ofEarlierRun(context, ancestors, [plan]);
  if (plan.kind === 'first') return plan;
  return withNext(plan, [], 'baseline-not-built', (closed) => ofEarlierRun(context, ancestors, closed));
}

/** The second way, and the third. */
async function ofEarlierRun(context: Context, ancestors: string[], closed: Reason[]): Promise<BaselinePlan> {
  const record = await nearestRecord(context, ancestors);
  if ('code' in record) {
    return { kind: 'first', candidateOrigin: context.candidateOrigin, warnings: [...closed, record] };
  }
  const numbers = async (closedToo: Reason[]): Promise<BaselinePlan> => {
    const stored = baselineOfNumbers(context, record);
    return { ...stored, warnings: [...closedToo, ...stored.warnings] };
  };
  const images = await baselineOfRecordedImages(context, record);
  return 'kind' in images ? withNext(images, closed, 'image-not-had', numbers) : await numbers([...closed, images]);
}

function withNext(
  plan: BuiltBaseline,
  closed: Reason[],
  code: string,
  next: (closed: Reason[]) => Promise<BaselinePlan>,
): BuiltBaseline {
  return {
    ...plan,
    warnings: [...closed, ...plan.warnings],
    async fallback(why) {
      await plan.release();
      return await next([
        ...closed,
        { code, message: `The baseline is ${plan.origin.text}, and cannot be prepared. ${why}` },
      ]);
    },
  };
}

/** The commit to build, what it descends from, and why there is none to build. */
export async function chosenCommit(context: Context): Promise<{
  commit: { sha: string; why: string } | null;
  /** Nearest first: where an earlier run counts. */
  ancestors: string[];
  absent: Reason | null;
}> {
  const { checkout, noCheckout, adapters, request } = context;
  if (checkout === null) return { commit: null, ancestors: [], absent: { code: 'no-repository', message: noCheckout } };
  const choice = chooseCommit(checkout.facts, adapters.workflow);
  if ('code' in choice) {
    const { code, message, sha } = choice;
    return {
      commit: null,
      ancestors: sha === null ? await earlierCommits(checkout) : [sha],
      absent: { code, message },
    };
  }
  const ancestors = await checkout.repository.firstParents(choice.sha, MOST_ANCESTORS);
  const { sha, why, preferMeasured } = adapters.workflow.event === null ? await withSpec(choice, checkout) : choice;
  const measured = preferMeasured
    ? await adapters.history.latest(request.spec.name, ancestors, request.selection)
    : null;
  const measuredSha = measured?.source.sha ?? null;
  if (measuredSha !== null && measuredSha !== sha && ancestors.includes(measuredSha)) {
    return { commit: { sha: measuredSha, why: 'the last one before HEAD that was measured' }, ancestors, absent: null };
  }
  return { commit: { sha, why }, ancestors, absent: null };
}

/**
 * Who has just begun has no spec where the branch began, and wants to see what was changed since it has one. In a workflow that is a first
 * measurement, and told as such.
 *
 *     origin/main ──●               chosen, without a spec
 *                    ╲
 *                     ●──●──●──●    HEAD
 *                        └ the first with one: this instead
 */
async function withSpec(choice: ChosenCommit, { repository, facts, specPath }: Checkout): Promise<ChosenCommit> {
  const has = async (sha: string) => (await repository.textAt(sha, specPath)) !== null;
  if (facts.head === null || (await has(choice.sha))) return choice;
  let first: string | null = null;
  for (const sha of await repository.firstParents(facts.head, MOST_ANCESTORS)) {
    if (sha === choice.sha || !(await has(sha))) break;
    first = sha;
  }
  if (first === null || (first === facts.head && !isChanged(facts))) return choice;
  return { ...choice, sha: first, why: `the first commit with ${specPath}; the ${choice.why} has none` };
}

/** What HEAD descends from; HEAD itself was measured as something else where it has been changed since. */
async function earlierCommits({ repository, facts }: Checkout): Promise<string[]> {
  if (facts.head === null) return [];
  const line = await repository.firstParents(facts.head, MOST_ANCESTORS);
  return isChanged(facts) ? line : line.slice(1);
}

/** Of an earlier run of this spec; a reason where there is none. */
export async function nearestRecord({ adapters, request }: Context, ancestors: string[]): Promise<RunRecord | Reason> {
  const record = await adapters.history.latest(request.spec.name, ancestors, request.selection);
  if (record !== null) return record;
  const warning = adapters.history.warning();
  if (warning !== null) return { code: 'earlier-runs-not-read', message: warning };
  const of = ancestors.length > 0 ? ' of a commit that this one grew from' : '';
  const where = `${request.spec.name}${of} in ${adapters.history.place}`;
  const ofPart = await adapters.history.latest(request.spec.name, ancestors, null);
  const message =
    ofPart === null
      ? `There is no earlier run of ${where}: a first measurement.`
      : `Earlier runs of ${where} measured only a part (\`quick\`, or another \`only\`): a first measurement of the rest. Run it once in full to have a baseline.`;
  return { code: 'no-earlier-run', message };
}
