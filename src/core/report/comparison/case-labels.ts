import type { CaseComparison, Comparison } from '../../comparison/comparison.ts';
import { isOfOneLimit } from '../../comparison/unit-key.ts';
import { counted } from '../../format/figures.ts';
import { keepAliveName } from '../../measurement/names.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { cappedRate } from '../wording.ts';
import { limitFigure } from './change-figures.ts';
import { clippedText } from './clipped-text.ts';
import { endpointGroups } from './endpoint-groups.ts';
import { metricTitle } from './metric-words.ts';
import { wholeRun } from './tally.ts';

/** How the cases, endpoints, services and metrics of one comparison are called. */
export interface CaseLabels {
  /** `api · /db/users · keep-alive on · 100 connections`, `api · /db/users`, `api · all endpoints`. The key itself where nothing has it. */
  of(key: string): string;
  /** `api · /db/users`: in a sentence, where one case stands for all of that endpoint. */
  short(key: string): string;
  /** What a row under `short` has to add: `keep-alive on · 100 connections` of a case, empty of all cases of an endpoint. */
  detail(key: string): string;
  /** A metric's title, in what the run counts in it. */
  metric(name: string): string;
}

/** `record` is the candidate's: it tells the endpoints' paths, and at which rate k6 really sent. */
export function caseLabels(comparison: Comparison, record: RunRecord): CaseLabels {
  const known = new Map(comparison.cases.map((each) => [each.key, partsOf(each)]));
  const endpoints = new Map(comparison.endpoints.map((each) => [each.key, each]));
  const services = new Map(comparison.services.map((each) => [each.key, each]));
  const manyGenerators = new Set([...known.values()].map(({ generator }) => generator)).size > 1;
  const requests = requestNames(record);
  const rates = cappedRates(record);
  const endpointOf = (name: string) => requests.get(name) ?? name;
  const manyCases = new Set(
    endpointGroups(comparison).flatMap(({ cases }) => (cases.length > 1 ? cases.map(({ key }) => key) : [])),
  );
  const loadOf = (key: string, { route, generator, mode, load }: ReturnType<typeof partsOf>) => [
    ...(route === 'direct' ? [] : [route]),
    ...(manyGenerators ? [generator] : []),
    MODES[mode] ?? mode,
    loadSaid(load, rates.get(key)),
  ];
  const unit = (key: string): string => {
    const [endpoint, service] = [endpoints.get(key), services.get(key)];
    if (endpoint !== undefined) return unitLabel(endpoint, [endpoint.service, endpointOf(endpoint.endpoint)], []);
    return service === undefined ? unknown(key) : unitLabel(service, [service.service], ['all endpoints']);
  };
  return {
    of: remembered((key) => {
      const found = known.get(key);
      if (found === undefined) return unit(key);
      const { service, endpoint } = found;
      return clippedText([service, endpointOf(endpoint), ...loadOf(key, found)].join(' · '), longest);
    }),
    short: remembered((key) => {
      const found = known.get(key);
      if (found === undefined) return unit(key);
      return clippedText(`${found.service} · ${endpointOf(found.endpoint)}`, longest);
    }),
    detail: remembered((key) => {
      const [found, unit] = [known.get(key), endpoints.get(key) ?? services.get(key)];
      if (found !== undefined) return manyCases.has(key) ? clippedText(loadOf(key, found).join(' · '), longest) : '';
      return unit === undefined ? '' : oneLimit(unit).join('');
    }),
    metric: (name) => metricTitle(name, record.spec),
  };
}

/** As a key says it → as a reader knows it. */
const MODES: Record<string, string> = {
  [keepAliveName(true)]: 'keep-alive on',
  [keepAliveName(false)]: 'keep-alive off',
};

/** `100 connections at 60%`; `100 connections at 4,200/s, not 60%` where k6 could not send as much. */
function loadSaid(load: string, capped: string | undefined): string {
  const [number = '', asked] = load.split('@');
  const connections = /^\d+$/.test(number) ? counted(Number(number), 'connection') : number;
  if (asked === undefined) return connections;
  if (!/^\d/.test(asked)) return `${connections}, closed loop`;
  return `${connections} at ${capped === undefined ? asked : `${capped}, not ${asked}`}`;
}

/** Case key → the candidate's rate, of those for which k6 could not send what was asked. */
function cappedRates(record: RunRecord): Map<string, string> {
  const candidates = record.cases.filter(({ variant }) => variant === 'candidate');
  return new Map(
    candidates.flatMap((each) => {
      const rate = cappedRate(each);
      return rate === null ? [] : [[each.key, rate]];
    }),
  );
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

/** `api · all endpoints`; `api · cases limited to +5 %` of those with one of several limits. */
function unitLabel(unit: CaseComparison, name: readonly string[], all: readonly string[]): string {
  const which = oneLimit(unit);
  return clippedText([...name, ...(which.length === 0 ? all : which)].join(' · '), longest);
}

function oneLimit({ key, metrics }: CaseComparison): string[] {
  const [limit] = Object.entries(metrics).map(([metric, compared]) => limitFigure(metric, compared));
  return isOfOneLimit(key) && limit !== undefined ? [`cases limited to ${limit}`] : [];
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
function requestNames(record: RunRecord): Map<string, string> {
  const { endpoints } = record.spec;
  const requests = endpoints.map(({ method, path }) => (method === 'GET' ? path : `${method} ${path}`));
  return new Map(
    endpoints.flatMap(({ name }, index) =>
      requests.filter((request) => request === requests[index]).length > 1 ? [] : [[name, requests[index]!]],
    ),
  );
}
