import { shortSha } from '../../core/baseline/commit.ts';
import { sinceAnchor } from '../../core/comparison/since-anchor.ts';
import type { JudgedRun } from '../../core/posting/verdict.ts';
import type { StoredPlace } from '../../core/publication/place.ts';
import { publishedRecord } from '../../core/publication/published-record.ts';
import { withFallback } from './degrade.ts';
import type { ReportAdapters } from './report-request.ts';

/**
 * The run with what was accepted since its anchor, and what crept in, as the runs of the data branch tell. As it was where they, or the
 * forge, do not tell. What a pull request itself makes worse did not creep in: `isOfBranch` is false for one.
 */
export async function withSinceAnchor(
  judged: JudgedRun,
  { isOfBranch, workflowRun }: { isOfBranch: boolean; workflowRun: number },
  { history, forge, warn }: Pick<ReportAdapters, 'history' | 'forge' | 'warn'>,
): Promise<JudgedRun> {
  const { record, comparison } = judged;
  const sha = comparison?.anchor?.baseline.sha ?? null;
  // A record may be of anybody, and this becomes a part of an address.
  const isCommit = sha !== null && /^[0-9a-f]{40,64}$/.test(sha);
  if (comparison?.anchor === undefined || !isCommit || history === null) return judged;
  const { anchor } = comparison;
  // An earlier attempt found what this one finds.
  const places = (await history.places(record.spec.name)).filter(
    (place) => place.id !== record.id && place.workflowRun !== workflowRun,
  );
  const consequence = `What was accepted since the anchor ${shortSha(sha)} is not known`;
  const number = await withFallback(null, consequence, warn, () => numberSince(places, sha, forge));
  if (number === null) return judged;
  const later = places.slice(0, number);
  const notable = await history.notable(record.spec.name, later);
  if (notable === null) return judged;
  const own = isOfBranch ? [publishedRecord(record, comparison)] : [];
  const commits = [...later.map((place) => place.sha).reverse(), ...(isOfBranch ? [record.source.sha] : [])];
  const since = sinceAnchor(anchor, {
    runs: [...notable.reverse(), ...own],
    commits: [...new Set(commits.filter((commit) => commit !== null))],
    isWhole: isOfBranch && number < places.length,
  });
  return { ...judged, comparison: { ...comparison, anchor: { ...anchor, since } } };
}

/**
 * How many of the runs, the newest first, are of commits that the anchor does not hold: looked for by halves, since each is a request.
 * Null where the forge does not tell.
 */
async function numberSince(
  places: readonly StoredPlace[],
  anchor: string,
  forge: ReportAdapters['forge'],
): Promise<number | null> {
  const known = places.findIndex(({ sha }) => sha === anchor);
  let [later, held] = [0, known === -1 ? places.length : known];
  while (later < held) {
    const middle = Math.floor((later + held) / 2);
    const { sha } = places[middle]!;
    const common = sha === null ? null : await forge.mergeBase(anchor, sha);
    if (common === null) return null;
    if (common === sha) held = middle;
    else later = middle + 1;
  }
  return later;
}
