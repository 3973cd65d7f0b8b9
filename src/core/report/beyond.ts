import { counted, grouped } from '../format/figures.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { isBeyondService } from '../validity/beyond-service.ts';
import type { Block, Inline } from './document.ts';

/** What a run did not measure, since it is more than the service answers in time. */
export interface BeyondSaid {
  /** `Beyond the service: 1000 connections on 4 endpoints (a request would take 6 to 320 s).`, of all such cases at once. */
  line: string;
  /** Which line of the spec to change, so that they fit; null where nothing of it helps. */
  advice: Inline | null;
}

/** Null where there is no such case. `record` is the candidate's. */
export function beyondSaid(record: Pick<RunRecord, 'cases' | 'spec'>): BeyondSaid | null {
  const own = record.cases.filter((each) => each.variant === 'candidate' && isBeyondService(each));
  if (own.length === 0) return null;
  const loads = new Map<string, CaseRecord[]>();
  const asked = own.toSorted((one, other) => other.connections - one.connections);
  for (const each of asked) loads.set(loadOf(each), [...(loads.get(loadOf(each)) ?? []), each]);
  const what = [...loads].map(([load, cases]) => `${load} on ${endpointsOf(cases, record)}`);
  const parts = [what.join(', '), ...timesOf(own)];
  return { line: `Beyond the service: ${parts.join(' ')}.`, advice: adviceFor(own, record) };
}

/** The line, with what to do about it behind. */
export function beyondBlocks(record: Pick<RunRecord, 'cases' | 'spec'>): Block[] {
  const said = beyondSaid(record);
  return said === null ? [] : [{ kind: 'paragraph', text: saidWhole(said) }];
}

export function saidWhole({ line, advice }: BeyondSaid): Inline {
  return advice === null ? line : [line, ' ', advice];
}

/** `1000 connections`, `k6 at 60%`. */
function loadOf({ key, generator, connections, beyond }: CaseRecord): string {
  if (beyond?.requestSeconds !== undefined) return counted(connections, 'connection');
  return `${generator} at ${key.slice(key.lastIndexOf('@') + 1).replace(/ps$/, ' requests/s')}`;
}

function endpointsOf(cases: readonly CaseRecord[], { cases: all }: Pick<RunRecord, 'cases'>): string {
  const placesIn = (some: readonly CaseRecord[]) =>
    new Set(some.map(({ service, endpoint }) => JSON.stringify([service, endpoint])));
  const places = placesIn(cases);
  if (places.size === 1) return cases[0]!.endpoint;
  return `${places.size === placesIn(all).size ? 'all ' : ''}${counted(places.size, 'endpoint')}`;
}

function timesOf(cases: readonly CaseRecord[]): string[] {
  const seconds = cases.flatMap(({ beyond }) => beyond?.requestSeconds ?? []);
  const isRate = seconds.length < cases.length;
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)].map(secondsText);
  const parts = [
    ...(seconds.length === 0 ? [] : [`a request would take ${least === most ? most : `${least} to ${most}`} s`]),
    ...(isRate ? ['at a rate there would be too many requests to hold, or too few for a trial'] : []),
  ];
  return parts.length === 0 ? [] : [`(${parts.join('; ')})`];
}

function secondsText(seconds: number): string {
  return seconds < 10 ? String(Number(seconds.toPrecision(2))) : grouped(seconds);
}

/** Of the timeout that a request takes where so many connections fit: what is left is for those that take longer. */
const SAFE_SHARE = 1 / 4;
const ROUND_TIMEOUTS = [5, 10, 20, 30, 60, 120, 300];

function adviceFor(cases: readonly CaseRecord[], { spec }: Pick<RunRecord, 'spec'>): Inline | null {
  const closed = cases.filter(({ beyond }) => beyond?.requestSeconds !== undefined);
  const generator = closed[0]?.generator;
  const load = generator === undefined ? null : spec.load[generator];
  if (generator === undefined || load === null || load === undefined || !('timeoutSeconds' in load)) return null;
  const own = closed.filter((each) => each.generator === generator);
  const fitting = own.map(({ beyond }) => SAFE_SHARE * load.timeoutSeconds * beyond!.answersPerSecond);
  const least = Math.min(...fitting);
  if (least < 1) {
    const timeout = ROUND_TIMEOUTS.find((seconds) => seconds >= load.timeoutSeconds / least);
    return timeout === undefined
      ? null
      : ['Set ', { code: `load.${generator}.timeout: ${timeout}s` }, ' to measure them.'];
  }
  const beyond = new Set(own.map(({ connections }) => connections));
  const kept = load.connections.filter((connections) => !beyond.has(connections));
  const wanted = spread([...fitting.map((most) => 2 ** Math.floor(Math.log2(most))), ...kept]);
  return [
    'Set ',
    { code: `load.${generator}.connections: [${wanted.join(', ')}]` },
    ' to measure each endpoint with as many as it answers in time.',
  ];
}

/** Further apart than that, one endpoint would be measured with far fewer than it holds, for the sake of another. */
const APART = 8;

/** The least of them, and of the others those that are far from the one before; what is too many for an endpoint costs it nothing. */
function spread(all: readonly number[]): number[] {
  const kept: number[] = [];
  for (const each of all.toSorted((one, other) => one - other)) {
    if (kept.length === 0 || each >= APART * kept.at(-1)!) kept.push(each);
  }
  return kept;
}
