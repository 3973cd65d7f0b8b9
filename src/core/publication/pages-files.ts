import { referencesOf } from '../comparison/compared-case.ts';
import { metricNamed, metrics } from '../metrics/registry.ts';
import type { CaseRecord, MetricRecord, RunRecord } from '../record/run-record.ts';
import {
  type Manifest,
  type Month,
  monthOf,
  pagesSchemaVersion,
  pieceFile,
  type SeriesCase,
  type SeriesMetric,
} from './manifest.ts';
import type { SeriesPiece } from './series-piece.ts';
import { pieceOf, type RunRow, rowsOf, type SeriesPoint } from './series-rows.ts';

/** A run of the data branch. */
export interface PublishedRun {
  /** As `publishedRecord` makes it. */
  record: RunRecord;
  /** Of its place on the branch: the record does not tell. */
  workflowRun: number | null;
}

/** A piece is not gone on with once it is longer: so much is rewritten by a publication at most, but for the run that it adds. */
export const PIECE_BYTES = 36_000;

export interface PagesFacts {
  specName: string;
  /** Version of wrkbench. */
  tool: string;
  server: string | null;
  repository: string | null;
}

export function emptyManifest({ specName, tool, server, repository }: PagesFacts): Manifest {
  return {
    schemaVersion: pagesSchemaVersion,
    tool,
    spec: specName,
    server,
    repository,
    cases: [],
    metrics: [],
    months: [],
    since: null,
    latest: null,
    leftOut: [],
    oldest: null,
  };
}

/** A file of the pages, as it is written. */
export interface PagesFile {
  /** From the folder of the spec. */
  file: string;
  content: string;
}

export interface GrownPages {
  manifest: Manifest;
  /** The one piece that is written. */
  written: PagesFile;
}

/** The last piece of a month, as it was read. */
export interface LastPiece {
  piece: SeriesPiece;
  bytes: number;
}

/**
 * The pages with one run more. `last` is the last piece of the run's month, and null where the manifest has none of it. A run
 * that it holds already is replaced.
 */
export function withRun(manifest: Manifest, last: LastPiece | null, run: PublishedRun): GrownPages {
  const named = withNames(manifest, run.record);
  return withRow(named, last, rowOf(named, run));
}

/** As `withRun`, with a row whose series the manifest names. */
function withRow(manifest: Manifest, last: LastPiece | null, row: RunRow): GrownPages {
  const month = monthOf(row.id);
  const known = manifest.months.find((each) => each.month === month) ?? null;
  const isFull = last === null || last.bytes > PIECE_BYTES;
  const before = isFull ? [] : rowsOf(last.piece);
  const others = before.filter(({ id }) => id !== row.id);
  const replaced = before.length - others.length;
  const entry: Month = {
    ...known,
    month,
    pieces: Math.max(1, (known?.pieces ?? 0) + (isFull ? 1 : 0)),
    runs: (known?.runs ?? 0) + 1 - replaced,
    gone: known?.gone ?? 0,
    imported: (known?.imported ?? 0) + (row.imported ? 1 : 0) - (replaced > 0 && row.imported ? 1 : 0),
    ordered: known === null || (last !== null && staysOrdered(known, last.piece, { isFull, id: row.id })),
  };
  const months = [...manifest.months.filter((each) => each !== known), entry].sort((one, other) =>
    one.month < other.month ? -1 : 1,
  );
  const content = jsonText(pieceOf([...others, row]));
  return { manifest: { ...manifest, months }, written: { file: pieceFile(entry, entry.pieces), content } };
}

/** Whether the pieces of the month follow each other with one run more, which is in a new piece where the last one is full. */
function staysOrdered(
  { pieces, ordered = false }: Month,
  { runs }: SeriesPiece,
  { isFull, id }: { isFull: boolean; id: string },
): boolean {
  if (pieces === 1 && !isFull) return true;
  const border = isFull ? runs.id.at(-1) : runs.id[0];
  return (pieces === 1 || ordered) && border !== undefined && id >= border;
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The manifest with all cases and metrics of a run, and what is newest of those that it knew. */
export function withNames(manifest: Manifest, record: RunRecord): Manifest {
  const isNewest = manifest.months.every(({ month }) => month <= monthOf(record.id));
  const references = new Set(referencesOf(record.spec));
  const cases = new Map(manifest.cases.map((each) => [each.key, each]));
  for (const each of record.cases) {
    const known = cases.get(each.key);
    if (known === undefined || isNewest) cases.set(each.key, { ...known, ...seriesCase(each, references) });
  }
  const named = new Map(manifest.metrics.map((each) => [each.name, each]));
  for (const [name, { unit }] of metricsIn(record)) {
    if (!named.has(name)) named.set(name, seriesMetric(name, unit, record));
  }
  return {
    ...manifest,
    repository: record.source.repository ?? manifest.repository,
    cases: [...cases.values()],
    metrics: [...named.values()],
  };
}

function seriesCase(each: CaseRecord, references: ReadonlySet<string>): SeriesCase {
  const { key, service, endpoint, route, generator, keepAlive, connections, rate } = each;
  const load = { route, generator, keepAlive, connections, rate };
  return { key, service, endpoint, load, reference: references.has(service) };
}

/** In the order of reports; those that this wrkbench does not know come last. */
function metricsIn({ cases }: RunRecord): [string, Pick<MetricRecord, 'unit'>][] {
  const found = new Map<string, Pick<MetricRecord, 'unit'>>(cases.flatMap(({ metrics }) => Object.entries(metrics)));
  const [first] = metrics;
  // A case that measured nothing has a point in it.
  if (!found.has(first!.name)) found.set(first!.name, first!);
  const order = metrics.map(({ name }) => name);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...found].sort(([one], [other]) => place(one) - place(other));
}

function seriesMetric(name: string, unit: string, { spec }: Pick<RunRecord, 'spec'>): SeriesMetric {
  const known = metricNamed(name, spec);
  return { name, title: known?.title ?? name, unit, better: known?.better ?? null };
}

/** `manifest` names all of its cases and metrics. */
export function rowOf(manifest: Manifest, { record, workflowRun }: PublishedRun): RunRow {
  const { id, source, environment, published } = record;
  const caseAt = new Map(manifest.cases.map(({ key }, index) => [key, index]));
  const metricAt = new Map(manifest.metrics.map(({ name }, index) => [name, index]));
  const points = record.cases.flatMap((each) =>
    pointsOf(each).map(([metric, point]) => [`${caseAt.get(each.key)}.${metricAt.get(metric)}`, point] as const),
  );
  return {
    id,
    sha: source.sha,
    workflowRun,
    pullRequest: source.pullRequest,
    release: published?.release ?? null,
    cpu: `${environment.cpuModel} (${environment.cpuCount} CPUs)`,
    passed: published?.passed ?? null,
    mode: published?.mode ?? null,
    anchor: published?.anchor?.name ?? null,
    imported: false,
    accepted: published?.accepted ?? [],
    points: new Map(points),
  };
}

function pointsOf(each: CaseRecord): [string, SeriesPoint][] {
  if (each.status === 'beyond') return [];
  const status = statusOf(each);
  const measured = Object.entries(each.metrics).map(([name, { value, compared }]): [string, SeriesPoint] => [
    name,
    {
      value,
      status,
      change: compared?.change ?? null,
      low: compared?.interval?.[0] ?? null,
      high: compared?.interval?.[1] ?? null,
      verdict: compared?.verdict ?? null,
    },
  ]);
  // That it was invalid is shown all the same.
  return measured.length === 0 && status !== null ? [[metrics[0]!.name, nothingMeasured(status)]] : measured;
}

const nothingMeasured = (status: SeriesPoint['status']): SeriesPoint => ({
  value: null,
  status,
  change: null,
  low: null,
  high: null,
  verdict: null,
});

/** What comes first among the reasons is the cause of the others. */
function statusOf({ status, reasons }: CaseRecord): SeriesPoint['status'] {
  if (status === 'valid') return null;
  return reasons[0]?.code === 'generator-bound' ? 'generator-bound' : 'invalid';
}
