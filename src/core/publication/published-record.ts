import type { Comparison } from '../comparison/comparison.ts';
import { isExact } from '../comparison/gating.ts';
import { publishedRequests } from '../comparison/observations.ts';
import { metricNamed } from '../metrics/registry.ts';
import { spreadOf } from '../record/published.ts';
import type {
  CaseRecord,
  ComparedFigure,
  MetricRecord,
  PublishedComparison,
  RunRecord,
  SearchRecord,
  StatementRecord,
} from '../record/run-record.ts';
import { publishedAnchor } from './published-anchor.ts';

/** What neither the record nor its comparison knows of a run. */
export interface PublishedFacts {
  /** Name of a tag of its commit. */
  release?: string | null;
  /** The generators' texts lie beside it. */
  raw?: boolean;
}

type Compared = Pick<Comparison['cases'][number]['metrics'][string], 'change' | 'adjusted' | 'verdict'>;

/**
 * A run as it is kept for years: what each case of the candidate came to, and where it was compared, its change and verdict.
 * All samples, what generators printed beside them, the baseline beside it and the paths of raw files are left in the artifact of the run: they are nine tenths of a
 * record, and nothing that later runs are held against.
 */
export function publishedRecord(
  record: RunRecord,
  comparison: Comparison | null,
  { release = null, raw = false }: PublishedFacts = {},
): RunRecord {
  const { comparing, unpaired, ...rest } = record;
  const judged = new Map(comparison?.cases.map((each) => [each.key, each.metrics]));
  // What lay beside it elsewhere does not lie beside it here.
  const { raw: _, ...compared } = comparedAs(record, comparison, release);
  return {
    ...rest,
    services: record.services.filter(({ variant }) => variant === 'candidate'),
    ...(record.searches === undefined ? {} : { searches: record.searches.map(publishedSearch) }),
    cases: record.cases
      .filter(({ variant }) => variant === 'candidate')
      .map((each) => publishedCase(each, judged.get(each.key) ?? {})),
    published: { ...compared, ...(raw ? { raw } : {}) },
  };
}

/** Of a record that was published before, what it says itself. */
function comparedAs(record: RunRecord, comparison: Comparison | null, release: string | null): PublishedComparison {
  if (comparison === null && record.published !== undefined) return record.published;
  const held = record.comparing ?? record.unpaired;
  const levels = comparison === null ? [] : [...comparison.endpoints, ...comparison.services];
  const tag = release ?? tagIn(record.source.ref);
  return {
    accepted: held?.accepted ?? [],
    baseline: held?.baseline ?? null,
    passed: comparison?.gate.passed ?? null,
    ...(comparison === null ? {} : { mode: comparison.mode }),
    ...(tag === null ? {} : { release: tag }),
    ...(comparison?.anchor === undefined ? {} : { anchor: publishedAnchor(comparison.anchor, record) }),
    ...(levels.length === 0
      ? {}
      : { levels: levels.map(({ key, metrics }) => ({ key, metrics: mapped(metrics, comparedFigure) })) }),
  };
}

/** `v1.4` of `refs/tags/v1.4`. */
function tagIn(ref: string | null): string | null {
  return /^refs\/tags\/(.+)$/.exec(ref ?? '')?.[1] ?? null;
}

function publishedCase(each: CaseRecord, judged: Readonly<Record<string, Compared>>): CaseRecord {
  const { duet: _, reported: __, dependencies: ___, statements, ...rest } = each;
  return {
    ...rest,
    ...(each.rate === null ? {} : { rate: digits(each.rate, 6) }),
    metrics: mapped(each.metrics, (metric, name) =>
      publishedMetric(name, metric, Object.hasOwn(judged, name) ? judged[name]! : null),
    ),
    utilisation: each.utilisation === null ? null : publishedUse(each.utilisation),
    ...(statements === undefined ? {} : { statements: statements.map(publishedStatement) }),
    raw: [],
  };
}

function publishedUse({ busiestThread, dependencies, ...shares }: NonNullable<CaseRecord['utilisation']>) {
  return {
    ...mapped(shares, (share) => digits(share, 4)),
    ...(dependencies === undefined ? {} : { dependencies: digits(dependencies, 4) }),
    ...(busiestThread === undefined ? {} : { busiestThread: digits(busiestThread, 4) }),
  };
}

/** A count that is compared exactly must not differ by its rounding: a 12th digit is less than what any of them is held to. */
const EXACT_DIGITS = 12;

function publishedMetric(name: string, metric: MetricRecord, judged: Compared | null): MetricRecord {
  const definition = metricNamed(name);
  const exact = definition !== undefined && isExact(definition);
  const shown = exact ? EXACT_DIGITS : 6;
  // Of a count all passes are compared, whatever their round.
  const spread = exact ? passesOf(metric) : spreadOf(metric);
  const compared = judged === null ? (metric.compared ?? null) : comparedFigure(judged);
  const said = compared !== null && Object.values(compared).some((each) => each !== null);
  const requests = name === 'throughput' ? publishedRequests(metric) : 0;
  return {
    value: digits(metric.value, shown),
    unit: metric.unit,
    samples: [],
    ...(spread === null || spread.samples < 2
      ? {}
      : { summary: { samples: spread.samples, low: digits(spread.low, shown), high: digits(spread.high, shown) } }),
    ...(requests > 0 ? { requests: Math.round(requests) } : {}),
    ...(said ? { compared } : {}),
  };
}

function passesOf({ samples, summary }: MetricRecord): ReturnType<typeof spreadOf> {
  const values = samples.map(({ value }) => value);
  if (values.length === 0) return summary ?? null;
  return { samples: values.length, low: Math.min(...values), high: Math.max(...values) };
}

function comparedFigure({ change, adjusted, verdict }: Compared): ComparedFigure {
  return {
    change: change === null ? null : places(change, 5),
    interval: adjusted === null ? null : [places(adjusted[0], 5), places(adjusted[1], 5)],
    verdict,
  };
}

/** What generators printed lies elsewhere. */
function publishedSearch(search: SearchRecord): SearchRecord {
  return {
    ...search,
    probes: search.probes.map((probe) => ({
      ...probe,
      throughput: probe.throughput === null ? null : digits(probe.throughput, 6),
      p99Ms: probe.p99Ms === null ? null : digits(probe.p99Ms, 6),
      errorShare: probe.errorShare === null ? null : digits(probe.errorShare, 4),
      raw: [],
    })),
  };
}

function publishedStatement({
  query,
  callsPerRequest,
  rowsPerRequest,
  msPerRequest,
}: StatementRecord): StatementRecord {
  return {
    query,
    callsPerRequest: digits(callsPerRequest, 6),
    rowsPerRequest: digits(rowsPerRequest, 6),
    msPerRequest: digits(msPerRequest, 4),
  };
}

function digits(value: number, significant: number): number {
  return Number(value.toPrecision(significant));
}

function places(value: number, after: number): number {
  // Without a minus before 0.
  return Number(value.toFixed(after)) + 0;
}

function mapped<K extends string, V, W>(
  record: Readonly<Record<K, V>>,
  of: (value: V, name: string) => W,
): Record<K, W> {
  const entries = Object.entries<V>(record).map(([name, value]) => [name, of(value, name)]);
  return Object.fromEntries(entries) as Record<K, W>;
}
