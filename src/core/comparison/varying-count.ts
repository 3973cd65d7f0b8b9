import { binomialUpperTail } from '../statistics/binomial.ts';
import { mean } from '../statistics/moderated-variance.ts';
import { studentUpperTail } from '../statistics/student.ts';

/** What one pass without load counted per request. */
interface CountedPassValue {
  value: number;
  /** Null in a record that does not say. */
  requests: number | null;
}

/** Of one side, in order of round. */
export type PassValues = readonly CountedPassValue[];

/**
 * Chance that passes differ as much as these, `to` above `from`, although the count did not rise by more than `threshold`. By two
 * tests, of which the larger chance counts, so that neither needs what it cannot know:
 *
 *     exact      of all that is sent beyond what every request sends, each is as likely on the one side as on the other, by
 *                the number of requests: binomial. A cache that is filled by 50 statements counts once (`clumpOf`).
 *     Student    how passes of one side differ shows what comes in clumps of many sizes, or with a start of the server
 */
export function chanceOfRise(from: PassValues, to: PassValues, threshold: number): number {
  const beyond = beyondEveryRequest([...from, ...to]);
  const [fewer, more] = [beyond.slice(0, from.length), beyond.slice(from.length)];
  const clump = clumpOf(beyond);
  const byScatter = scatterTest(from, to, threshold, clump);
  return threshold !== 0 ? byScatter : Math.max(byScatter, exactTest(fewer, more, clump));
}

interface Beyond {
  events: number;
  requests: number;
}

/** Requests of a pass in a record that does not say: so few that nothing follows from it. */
const UNKNOWN_REQUESTS = 1;
/** Of more than this the scatter alone tells, as that of bytes. */
const MOST_EVENTS = 100_000;

function beyondEveryRequest(passes: PassValues): Beyond[] {
  const sentByEach = Math.floor(Math.min(...passes.map(({ value }) => value)) + 1e-9);
  return passes.map(({ value, requests }) => {
    const known = requests ?? UNKNOWN_REQUESTS;
    return { events: Math.round((value - sentByEach) * known), requests: known };
  });
}

/** What comes at once, where that is always as much. */
function clumpOf(beyond: readonly Beyond[]): number {
  return beyond.reduce((common, { events }) => greatestCommon(common, events), 0) || 1;
}

function greatestCommon(one: number, other: number): number {
  return other === 0 ? one : greatestCommon(other, one % other);
}

function exactTest(from: readonly Beyond[], to: readonly Beyond[], clump: number): number {
  const [was, is] = [totalOf(from), totalOf(to)];
  const [wasEvents, isEvents] = [was.events / clump, is.events / clump];
  if (wasEvents + isEvents > MOST_EVENTS) return 0;
  return binomialUpperTail(isEvents, wasEvents + isEvents, is.requests / (was.requests + is.requests));
}

function totalOf(beyond: readonly Beyond[]): Beyond {
  return {
    events: beyond.reduce((sum, { events }) => sum + events, 0),
    requests: beyond.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** Passes that agree by chance are not trusted further than what comes at random allows. */
function scatterTest(from: PassValues, to: PassValues, threshold: number, clump: number): number {
  const sides = [from, to].map((passes) => passes.map(({ value }) => value));
  const [was, is] = sides.map(mean) as [number, number];
  const degreesOfFreedom = from.length + to.length - 2;
  const seen =
    sides.flatMap((values) => values.map((value) => (value - mean(values)) ** 2)).reduce((a, b) => a + b, 0) /
    degreesOfFreedom;
  const { events, requests } = totalOf(beyondEveryRequest([...from, ...to]));
  const atRandom = ((events / requests) * clump * (from.length + to.length)) / requests;
  const error = Math.sqrt(Math.max(seen, atRandom) * (1 / from.length + 1 / to.length));
  if (error === 0) return is - was > threshold ? 0 : 1;
  return studentUpperTail((is - was - threshold) / error, degreesOfFreedom);
}
