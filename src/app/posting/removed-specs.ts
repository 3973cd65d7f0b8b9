import type { LostRun } from '../../core/posting/lost-run.ts';
import type { RemovedSpec } from '../../core/posting/removed-spec.ts';
import type { PullRequest } from '../ports/forge.ts';
import { type SpecsAt, specsAt } from './base-specs.ts';
import type { Context } from './context.ts';
import type { ReportAdapters } from './report-request.ts';
import { type WaysToAccept, waysText, waysToAccept } from './ways-to-accept.ts';

/** Specs of the base that a pull request has taken away or renamed: those of which somebody accepted it, and the others. */
export interface TakenAway {
  removed: RemovedSpec[];
  missing: LostRun[];
}

/** Which of some specs of the base the pull request has taken away itself, by what the forge says. */
export async function takenAway(
  names: readonly string[],
  context: Context,
  adapters: ReportAdapters,
): Promise<TakenAway> {
  const { recipient } = context;
  if (recipient.kind !== 'pull-request') return { removed: [], missing: [] };
  const gone = await goneAtHead(names, context, adapters);
  const removed = gone.flatMap((specName) => acceptedRemoval(specName, context) ?? []);
  const others = gone.filter((specName) => removed.every((each) => each.specName !== specName));
  return { removed, missing: others.length === 0 ? [] : await unaccepted(others, recipient.pullRequest, adapters) };
}

/** Of the head nothing is believed but that they are not there; what cannot be read there may have any name. */
async function goneAtHead(
  names: readonly string[],
  { request, changed, paths, wrong }: Context,
  { forge, warn }: ReportAdapters,
): Promise<string[]> {
  // What came to the base after the pull request had left it is not at its head either, and is none of its changes.
  const touched = names.filter((name) => changed?.includes(paths.get(name)!));
  if (touched.length === 0) return [];
  const head = await specsAt(request.run.head.sha, request.specs, forge, warn);
  return head.unread === null ? touched.filter((name) => !mayHave(name, head, wrong)) : [];
}

function mayHave(specName: string, head: SpecsAt, wrongAtBase: SpecsAt['wrong']): boolean {
  // A file that tells no name, and told none at the base, was no spec there: a glob fits other files as well.
  const isUnknown = (path: string) => !wrongAtBase.some((each) => each.path === path && each.name === null);
  return (
    head.specs.has(specName) ||
    head.wrong.some(({ name, path }) => (name === null ? isUnknown(path) : name === specName))
  );
}

/** By its name, and nothing else: `*` would accept what nobody has looked at. */
function acceptedRemoval(
  specName: string,
  { accepted, request }: Pick<Context, 'accepted' | 'request'>,
): RemovedSpec | null {
  const found = [...accepted, ...(request.accepted ?? [])].find(
    ({ cases, metric }) => cases === specName && metric === null,
  );
  return found === undefined ? null : { specName, reason: found.reason };
}

async function unaccepted(
  names: readonly string[],
  pullRequest: PullRequest,
  { forge }: ReportAdapters,
): Promise<LostRun[]> {
  const ways = await waysToAccept(pullRequest, forge);
  return names.map((specName) => ({
    specName,
    why: `this pull request removes or renames the spec: ${advice(specName, ways)}`,
  }));
}

function advice(specName: string, ways: WaysToAccept): string {
  const how = waysText(ways, specName);
  if (how !== '') return `accept it by ${how}`;
  return `push it to a branch of this repository, with ${waysText({ label: false, line: true }, specName)}`;
}
