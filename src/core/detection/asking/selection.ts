import { MOST_ENDPOINTS } from '../endpoints.ts';
import type { LeftOut } from '../files.ts';
import { isHealthPath } from '../routes/route.ts';
import { isPasswordPath, WAYS_OUT, type WayOut } from './answers.ts';
import { type AskedCandidate, familyOf, isAskingPath, type KeptCandidate } from './endpoint-candidate.ts';

/** More of them would be more cases whose data are put back. */
const MOST_WRITING_KEPT = 2;
/** With so many others what says something of the service itself tells nothing. */
const ENOUGH_OTHERS = 3;

/** Those that are worth measuring, the best first: what costs a server something, of each part of it rather than of one. */
export function selectedCandidates(asked: readonly AskedCandidate[]): KeptCandidate[] {
  const good = withoutTwins(asked.filter((each): each is KeptCandidate => typeof each.outcome !== 'string'));
  const isReading = ({ candidate: { method, written } }: KeptCandidate) =>
    method === 'GET' || (written !== undefined && isAskingPath(written));
  const writing = good.filter((each) => !isReading(each)).slice(0, MOST_WRITING_KEPT);
  const reading = good.filter(isReading);
  const others = reading.filter(({ candidate }) => !isAside(candidate.path));
  const wanted = others.length >= ENOUGH_OTHERS ? others : reading;
  return [...ranked(wanted).slice(0, MOST_ENDPOINTS - writing.length), ...writing];
}

/**
 * Pages of one application for a browser are one page under many names, and so is what any path is answered with; no content tells nothing.
 * A path that is served with a slash at its end and without is one.
 */
function withoutTwins(good: readonly KeptCandidate[]): KeptCandidate[] {
  const [seen, places] = [new Set<string>(), new Set<string>()];
  return good.filter(({ candidate, outcome: { form, isAnywhere, body } }) => {
    const place = JSON.stringify([candidate.method, candidate.path.replace(/\/(?=$|\?)/, ''), candidate.body]);
    const isTwin = ((form === 'html' || isAnywhere) && body !== '' && seen.has(body)) || places.has(place);
    seen.add(body);
    places.add(place);
    return !isTwin;
  });
}

function ranked(good: readonly KeptCandidate[]): KeptCandidate[] {
  const tiers = good.map((each, order) => ({ each, order, tier: tierOf(each), turn: 0 }));
  tiers.sort((a, b) => compared(a.tier, b.tier) || a.order - b.order);
  const seen = new Map<string, number>();
  for (const one of tiers) {
    const family = familyOf(one.each.candidate.path);
    one.turn = seen.get(family) ?? 0;
    seen.set(family, one.turn + 1);
  }
  return tiers
    .sort((a, b) => compared([...a.tier, a.turn], [...b.tier, b.turn]) || a.order - b.order)
    .map(({ each }) => each);
}

/** Whether it is up, which one it is, and forms for getting in. */
function isAside(path: string): boolean {
  return (
    isHealthPath(path) || isPasswordPath(path) || /\/(?:versions?|about|info|build-?info|licen[cs]es?)\/?$/i.test(path)
  );
}

const FORMS = { json: 0, other: 1, html: 1, file: 2 };

function tierOf({ candidate, outcome, usesDatabase }: KeptCandidate): number[] {
  return [
    isAside(candidate.path) ? 1 : 0,
    FORMS[outcome.form],
    usesDatabase === false ? 1 : 0,
    outcome.isEmpty ? 1 : 0,
  ];
}

function compared(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - b[index]!;
  return 0;
}

/** Of each way out how many, and the first of them by name; what somebody would want to know first comes first. */
export function groupsOut(asked: readonly AskedCandidate[], kept: readonly KeptCandidate[]): LeftOut[] {
  const names = (of: readonly AskedCandidate[]) =>
    of.map(
      ({ candidate: { method, path, written: own = path } }) =>
        `${method} ${own.length > LONGEST_NAME ? `${own.slice(0, LONGEST_NAME)}…` : own}`,
    );
  const groups = (Object.keys(WAYS_OUT) as WayOut[]).map((way) => ({
    names: names(asked.filter(({ outcome }) => outcome === way)),
    why: WAYS_OUT[way],
  }));
  const chosen = new Set(kept.map(({ candidate }) => candidate));
  const unchosen = asked.filter(({ candidate, outcome }) => typeof outcome !== 'string' && !chosen.has(candidate));
  return [...groups, { names: names(unchosen), why: 'works, but tells less than the endpoints that are kept' }]
    .filter((group) => group.names.length > 0)
    .map((group) => ({ what: listed(group.names), why: group.why }));
}

const LONGEST_NAME = 80;
const SHOWN = 2;

function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return rest <= 0 ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${rest} more`;
}
