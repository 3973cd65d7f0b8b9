import { UserError } from '../user-error.ts';
import type { BenchmarkData, BenchmarkEntry } from './benchmark-data.ts';
import { inUnit, ownUnit, seriesUnits } from './imported-units.ts';
import type { Manifest, SeriesCase, SeriesMetric } from './manifest.ts';
import type { RunRow, SeriesPoint } from './series-rows.ts';

/** Runs that another tool measured, as rows of our series. */
export interface ImportedRuns {
  /** With the cases and metrics of all of them. */
  manifest: Manifest;
  /** In the order of their ids. */
  rows: RunRow[];
  /** Figures that are none, or have no name of their own in their run. */
  leftOut: number;
}

/** No more than a manifest takes that a page loads at once. */
const MOST_CASES = 5_000;
const MOST_RUNS = 100_000;
const LONGEST_NAME = 500;

/**
 * Of each suite and commit a run. Its id is made of what it is, so that importing it again is known for what it is. Throws
 * `UserError` where there is more than pages can hold.
 */
export function importedRuns(start: Manifest, { entries, repoUrl }: BenchmarkData): ImportedRuns {
  const suites = Object.entries(entries);
  const runs = suites.reduce((sum, [, own]) => sum + own.length, 0);
  if (runs > MOST_RUNS) throw new UserError(`It holds ${runs} runs, where at most ${MOST_RUNS} are imported.`);
  const names = namesOf(start);
  const rows = new Map<string, RunRow>();
  let leftOut = 0;
  for (const [suite, own] of suites) {
    const units = seriesUnits(own);
    for (const entry of own) {
      const points = new Map<string, SeriesPoint>();
      for (const { name, value, unit: written = '' } of entry.benches) {
        const unit = ownUnit(written);
        const figure = numberOf(value);
        if (
          figure === null ||
          suite.length > LONGEST_NAME ||
          name.length > LONGEST_NAME ||
          unit.length > LONGEST_NAME
        ) {
          leftOut += 1;
          continue;
        }
        const shown = units.shown(name, unit);
        const series = names.series(caseOf(suite, name), metricOf(entry.tool, shown));
        if (points.has(series)) leftOut += 1;
        else points.set(series, pointOf(inUnit(figure, unit, shown)));
      }
      const row = rowOf(suite, entry, points);
      if (points.size > 0) rows.set(row.id, row);
    }
  }
  const manifest = names.manifest();
  if (manifest.cases.length > MOST_CASES) {
    throw new UserError(
      `It names ${manifest.cases.length} benchmarks, where pages of a spec hold at most ${MOST_CASES}.`,
    );
  }
  return {
    manifest: { ...manifest, ...(manifest.repository === null ? repositoryOf(repoUrl) : {}) },
    rows: [...rows.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    leftOut,
  };
}

/** Places of cases and metrics in the manifest, which grows by those that it lacks. */
function namesOf(start: Manifest) {
  const cases = new Map(start.cases.map((each, place) => [each.key, { each, place }]));
  const metrics = new Map(start.metrics.map((each, place) => [each.name, { each, place }]));
  const placeIn = <T>(known: Map<string, { each: T; place: number }>, key: string, each: T) => {
    const there = known.get(key) ?? { each, place: known.size };
    known.set(key, there);
    return there.place;
  };
  return {
    series: (ofCase: SeriesCase, metric: SeriesMetric) =>
      `${placeIn(cases, ofCase.key, ofCase)}.${placeIn(metrics, metric.name, metric)}`,
    manifest: (): Manifest => ({
      ...start,
      cases: [...cases.values()].map(({ each }) => each),
      metrics: [...metrics.values()].map(({ each }) => each),
    }),
  };
}

function caseOf(suite: string, name: string): SeriesCase {
  return { key: `imported/${suite}/${name}`, service: suite, endpoint: name, load: null, reference: false };
}

/** Figures of one unit and one direction are one metric, whichever tool measured them. */
function metricOf(tool: string, unit: string): SeriesMetric {
  const better = betterOf(tool, unit);
  return { name: `imported/${better ?? 'either'}/${unit}`, title: unit === '' ? 'Value' : unit, unit, better };
}

/** As the action itself judges each tool's figures; JMH's modes are told by their unit. */
const SMALLER = new Set([
  'cargo',
  'go',
  'benchmarkluau',
  'googlecpp',
  'catch2',
  'julia',
  'jmh',
  'benchmarkdotnet',
  'customSmallerIsBetter',
]);
const BIGGER = new Set(['benchmarkjs', 'pytest', 'customBiggerIsBetter']);

function betterOf(tool: string, unit: string): SeriesMetric['better'] {
  if (BIGGER.has(tool) || (tool === 'jmh' && unit.startsWith('ops/'))) return 'higher';
  return SMALLER.has(tool) ? 'lower' : null;
}

function numberOf(value: string | number | null): number | null {
  const figure = typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : (value ?? Number.NaN);
  return Number.isFinite(figure) ? figure : null;
}

function pointOf(value: number): SeriesPoint {
  return { value, status: null, change: null, low: null, high: null, verdict: null };
}

function rowOf(suite: string, { commit, date }: BenchmarkEntry, points: RunRow['points']): RunRow {
  const [, pull] = /\/pull\/([1-9]\d{0,8})(?:\/|$)/.exec(commit.url?.slice(0, 500) ?? '') ?? [];
  return {
    id: `${timeOf(date)}-${hashOf(`${suite}\n${commit.id}\n${date}`)}`,
    sha: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit.id) ? commit.id : null,
    workflowRun: null,
    pullRequest: pull === undefined ? null : Number(pull),
    release: null,
    cpu: 'not recorded',
    passed: null,
    mode: null,
    anchor: null,
    imported: true,
    accepted: [],
    points,
  };
}

/** `20261120-092802`, UTC. */
function timeOf(date: number): string {
  const [day, time] = new Date(date).toISOString().slice(-24).split('T');
  return `${day!.replaceAll('-', '')}-${time!.slice(0, 8).replaceAll(':', '')}`;
}

/** Six hexadecimal digits (FNV-1a, folded): they tell apart what was measured in the same second. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return ((hash >>> 24) ^ (hash & 0xff_ffff)).toString(16).padStart(6, '0');
}

/** `acme/api` of `https://github.com/acme/api`; nothing of anything else. */
function repositoryOf(url = ''): Partial<Pick<Manifest, 'server' | 'repository'>> {
  const [, server, repository] = /^(https:\/\/[\w.-]{1,200})\/([\w.-]{1,100}\/[\w.-]{1,100})\/?$/.exec(url) ?? [];
  return server === undefined ? {} : { server, repository: repository! };
}
