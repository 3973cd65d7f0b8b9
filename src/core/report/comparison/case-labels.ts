import type { CaseComparison, Comparison } from '../../comparison/comparison.ts';
import { isOfOneLimit } from '../../comparison/whole-service-key.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { limitFigure } from './change-figures.ts';
import { wholeRun } from './findings.ts';
import { clippedText } from './stranger-text.ts';

/** How the cases of one comparison are called. */
export interface CaseLabels {
  /** `api · /db/users · keep-alive · 100`. The key itself for a case that the comparison does not hold. */
  of(key: string): string;
  /** `api · /db/users`: in a sentence, where one case stands for all of that endpoint. */
  short(key: string): string;
}

/** `record` tells the endpoints' paths; without one they are called by their names. */
export function caseLabels(comparison: Comparison, record: RunRecord | null): CaseLabels {
  const known = new Map(comparison.cases.map((each) => [each.key, partsOf(each)]));
  const services = new Map(comparison.services.map((each) => [each.key, each]));
  const manyGenerators = new Set([...known.values()].map(({ generator }) => generator)).size > 1;
  const requests = requestNames(record);
  const endpointOf = (name: string) => requests.get(name) ?? name;
  return {
    of: remembered((key) => {
      const found = known.get(key);
      if (found === undefined) return services.has(key) ? wholeService(services.get(key)!, 'all cases') : unknown(key);
      const { service, endpoint, route, generator, mode, load } = found;
      const parts = [
        service,
        endpointOf(endpoint),
        ...(route === 'direct' ? [] : [route]),
        ...(manyGenerators ? [generator] : []),
        mode,
        load.replace('@', ' @ '),
      ];
      return clippedText(parts.join(' · '), longest);
    }),
    short: remembered((key) => {
      const found = known.get(key);
      if (found === undefined) return services.has(key) ? wholeService(services.get(key)!, null) : unknown(key);
      return clippedText(`${found.service} · ${endpointOf(found.endpoint)}`, longest);
    }),
  };
}

/** A case is named in every table and picture. */
function remembered(name: (key: string) => string): (key: string) => string {
  const names = new Map<string, string>();
  return (key) => {
    const known = names.get(key) ?? name(key);
    names.set(key, known);
    return known;
  };
}

/** `api · all cases`; `api · cases limited to +5 %` of those with one of several limits. */
function wholeService({ key, service, metrics }: CaseComparison, all: string | null): string {
  const [limit] = Object.entries(metrics).map(([metric, compared]) => limitFigure(metric, compared));
  const which = isOfOneLimit(key) && limit !== undefined ? `cases limited to ${limit}` : all;
  return clippedText(which === null ? service : `${service} · ${which}`, longest);
}

function unknown(key: string): string {
  return key === wholeRun ? 'the whole run' : clippedText(key, longest);
}

/** Columns of a label. */
const longest = 120;

/** The key's last four parts have no slash in them; what stands before may. */
function partsOf({ key, service, endpoint }: CaseComparison) {
  const [route = '', generator = '', mode = '', load = ''] = key.split('/').slice(-4);
  return { service, endpoint, route, generator, mode, load };
}

/** Endpoint → `/db/users`, `POST /db/users`; endpoints that would read the same keep their names. */
function requestNames(record: RunRecord | null): Map<string, string> {
  const endpoints = record?.spec.endpoints ?? [];
  const requests = endpoints.map(({ method, path }) => (method === 'GET' ? path : `${method} ${path}`));
  return new Map(
    endpoints.flatMap(({ name }, index) =>
      requests.filter((request) => request === requests[index]).length > 1 ? [] : [[name, requests[index]!]],
    ),
  );
}
