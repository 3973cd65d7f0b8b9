import type { Reason } from '../measurement/names.ts';
import { queriesPerRequest } from '../metrics/counts.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { mean } from '../statistics/moderated-variance.ts';
import type { ComparedMetric } from './compared-metric.ts';
import { countedOf, countVaries } from './counts.ts';
import { isExact } from './gating.ts';
import { isGated } from './metric-comparison.ts';

/** Code of what `varyingCounts` says. */
const VARYING_COUNT = 'varying-count';
/** Of 200 requests in turn, a part of a statement per request that is no arithmetic. */
const ROUNDING = 1e-9;
const MOST_NAMED = 2;
const MOST_QUERY_LENGTH = 80;

/**
 * Names what varies by itself, once for each endpoint:
 *
 *     shop, users: about 1 request in 100 sends `SELECT now()` too, on both sides. …
 */
export function varyingCounts(comparedMetrics: readonly ComparedMetric[]): Reason[] {
  const varying = comparedMetrics.filter(
    (each) =>
      each.judgedBy === null &&
      isExact(each.metric) &&
      isGated(each) &&
      each.baseline !== null &&
      each.candidate !== null &&
      countVaries(countedOf(each), each.baseline, each.candidate),
  );
  const places = new Map<string, ComparedMetric[]>();
  for (const each of varying) {
    const { service, endpoint } = each.case;
    const place = `${service}, ${endpoint}`;
    places.set(place, [...(places.get(place) ?? []), each]);
  }
  return [...places].map(([place, own]) => {
    const message = `${place}: ${whatVaries(own)}. That varies by itself: only more of it than chance explains is a regression.`;
    return { code: VARYING_COUNT, message };
  });
}

function whatVaries(own: readonly ComparedMetric[]): string {
  const [{ case: compared }] = own as [ComparedMetric, ...ComparedMetric[]];
  const sides = { baseline: partsOf(compared.baseline), candidate: partsOf(compared.candidate) };
  const named = [...new Set([...sides.baseline.keys(), ...sides.candidate.keys()])].map((form) => {
    const [was, is] = [sides.baseline.get(form), sides.candidate.get(form)];
    const known = [was, is].filter((part) => part !== undefined);
    const where = known.length === 2 ? 'on both sides' : `on the ${was === undefined ? 'candidate' : 'baseline'}`;
    const part = mean(known.map(({ perRequest }) => perRequest));
    return { part, said: `${howOften(part)} \`${shortened(known[0]!.query)}\` too, ${where}` };
  });
  named.sort((a, b) => b.part - a.part);
  const isNamed = named.length > 0 && own.some(({ metric }) => metric === queriesPerRequest);
  if (isNamed) return listed(named.map(({ said }) => said));
  const titles = own.map(({ metric }) => metric.title.replace(/^./, (first) => first.toLowerCase()));
  return `${titles.join(' and ')} differ between requests`;
}

function listed(said: readonly string[]): string {
  const others = said.length - MOST_NAMED;
  if (others < 1) return said.join('; ');
  return [
    ...said.slice(0, MOST_NAMED),
    `${others} more ${others === 1 ? 'statement varies' : 'statements vary'} like that`,
  ].join('; ');
}

interface Part {
  query: string;
  /** How often a request sends it beyond what each one does. */
  perRequest: number;
}

/** By the form of the statement: Postgres names a prepared one as `SELECT 1` here and as `SELECT $1` there. */
function partsOf(record: CaseRecord | null): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const { query, callsPerRequest } of record?.statements ?? []) {
    const form = query.replace(/'(?:[^']|'')*'|\$\d+|\b(?:\d+(?:\.\d+)?|true|false|null)\b/gi, '?');
    const calls = callsPerRequest + (parts.get(form)?.perRequest ?? 0);
    parts.set(form, { query, perRequest: calls });
  }
  return new Map(
    [...parts]
      .map(([form, { query, perRequest }]): [string, Part] => {
        return [form, { query, perRequest: perRequest - Math.floor(perRequest + ROUNDING) }];
      })
      .filter(([, { perRequest }]) => perRequest > ROUNDING),
  );
}

function howOften(part: number): string {
  if (part > 0.6) return 'most requests send';
  const one = 1 / part;
  return `about 1 request in ${one < 10 ? Math.round(one) : Number(one.toPrecision(1))} sends`;
}

function shortened(query: string): string {
  const line = query.replace(/\s+/g, ' ').replaceAll('`', "'");
  return line.length <= MOST_QUERY_LENGTH ? line : `${line.slice(0, MOST_QUERY_LENGTH - 1)}…`;
}
