import { mostProbes, usualProbes } from '../capacity/bisection.ts';
import { limitsText } from '../capacity/result.ts';
import { searchesOf } from '../capacity/search-case.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { counted, grouped } from '../format/figures.ts';
import { durationText } from './duration-text.ts';
import { EXPECTED_SECONDS, serviceStartSeconds, trialSeconds, warmUpSeconds } from './estimate.ts';
import type { PlanOptions } from './plan.ts';

/** What a search takes on top of the cases, in a run that compares with nothing. */
export interface SearchPlan {
  /** One for each service and endpoint. */
  searches: number;
  services: number;
  /** Of one search: without a result by chance, and at most. */
  probes: { usual: number; most: number };
  /** Of all of them, wall clock. */
  seconds: { usual: number; most: number };
}

/** Null where nothing is searched for. `spec` is the one that was planned: `quickened` where the plan is a quick one. */
export function searchPlanOf(
  spec: ResolvedSpec,
  { only = null, shard = null }: Pick<PlanOptions, 'only' | 'shard'>,
): SearchPlan | null {
  const searches = (shard?.index ?? 1) === 1 ? searchesOf(spec, only) : [];
  const [first] = searches;
  if (first === undefined) return null;
  const { levels, caseAt, search } = first;
  const probes = { usual: usualProbes(levels), most: mostProbes(levels) };
  const services = new Set(searches.map(({ service }) => service.name)).size;
  const { generatorStart, briefVerification } = EXPECTED_SECONDS;
  const probeSeconds =
    warmUpSeconds(spec.load.warmUp) +
    trialSeconds(caseAt(search.from)) +
    spec.load.coolDownSeconds +
    generatorStart +
    briefVerification;
  const turnSeconds = searches.length * probeSeconds + services * serviceStartSeconds(spec);
  const seconds = { usual: probes.usual * turnSeconds, most: probes.most * turnSeconds };
  return { searches: searches.length, services, probes, seconds };
}

/** For a person: what is searched for, and what that takes. */
export function searchPlanText({ search }: ResolvedSpec, plan: SearchPlan | null): string {
  if (plan === null || search === undefined) return '';
  const { searches, probes, seconds } = plan;
  const [what, unit] = search.find === 'rate' ? ['highest rate', 'requests/s'] : ['most connections', 'connections'];
  const over = search.find === 'rate' ? ` over ${counted(search.connections, 'connection')}` : '';
  return [
    '',
    `search for the ${what}, only in a run without a baseline`,
    `  ${counted(searches, 'search', 'searches')} of ${grouped(search.from)} to ${grouped(search.to)} ${unit} ${limitsText(search)}`,
    `  ${search.generator}${over}, ${search.durationSeconds} s each: ${probes.usual} tries as a rule, ${probes.most} at most, for each search; up to twice as many where other processes disturb them`,
    `  about ${durationText(seconds.usual)} on top of the cases, ${durationText(seconds.most)} at most`,
    '',
  ].join('\n');
}
