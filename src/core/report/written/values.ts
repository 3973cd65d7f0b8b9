import { nearestFew } from '../../config/nearest.ts';
import { absent, change, compact, factor, share, size } from '../../format/figures.ts';
import { quoted } from '../../format/quoted.ts';
import { metricNamed, metrics } from '../../metrics/registry.ts';
import type { CaseRecord, RunRecord } from '../../record/run-record.ts';
import { isBeyondService } from '../../validity/beyond-service.ts';
import type { Inline } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { metricOf } from '../view.ts';
import { BadMarker } from './markers.ts';
import { type LabelledRun, notComparable } from './runs.ts';

/**
 * A figure within a sentence of the author's:
 *
 *     go/ping/direct/wrk/keep-alive/100 throughput                  114,873
 *     go/… throughput as compact                                    115K
 *     go/… throughput / nginx/…                                     0.20x      as share: 20%; as change: -80%
 *     pooled:go/… latency-p99                                       of the run that the report calls pooled
 *     cpu                                                           a fact of the run
 */
export function figureText(words: readonly string[], runs: readonly LabelledRun[], line: number): Inline {
  const { operands, format } = read(words, line);
  const [first, second] = operands;
  if (first!.metric === null && second === undefined && format === null) {
    const fact = factOf(first!.of, runs, line);
    if (fact !== null) return fact;
  }
  const metric = first!.metric;
  if (metric === null) {
    const known = [...Object.keys(FACTS), 'a case with a metric'].join(', ');
    throw new BadMarker(line, `the value ${quoted(first!.of)} is unknown. There are ${known}`);
  }
  const one = figureOf(first!.of, metric, runs, line);
  if (second === undefined) return single(one, format, line);
  return ratio(one, figureOf(second.of, second.metric ?? metric, runs, line), format, line);
}

interface Operand {
  of: string;
  metric: string | null;
}

/** `CASE METRIC [/ CASE [METRIC]] [as FORMAT]` */
function read(words: readonly string[], line: number): { operands: Operand[]; format: string | null } {
  const at = words.indexOf('as');
  const format = at === -1 ? null : words.slice(at + 1).join(' ');
  const rest = at === -1 ? [...words] : words.slice(0, at);
  const slash = rest.indexOf('/');
  const parts = slash === -1 ? [rest] : [rest.slice(0, slash), rest.slice(slash + 1)];
  if (parts.some(({ length }) => length === 0 || length > 2) || format === '') {
    throw new BadMarker(
      line,
      `the value ${quoted(words.join(' '))} is not understood: write it as CASE METRIC, or as CASE METRIC / CASE`,
    );
  }
  return { operands: parts.map(([of, metric]) => ({ of: of!, metric: metric ?? null })), format };
}

interface Figure {
  run: LabelledRun;
  record: CaseRecord;
  metric: NonNullable<ReturnType<typeof metricNamed>>;
}

function figureOf(named: string, metricName: string, runs: readonly LabelledRun[], line: number): Figure {
  const metric = metricNamed(metricName);
  if (metric === undefined) {
    const near = nearestFew(
      metricName,
      metrics.map(({ name }) => name),
      3,
    ).join(', ');
    throw new BadMarker(line, `the metric ${quoted(metricName)} is unknown; the nearest are ${near}`);
  }
  const { runs: among, rest: key } = runsNamed(named, runs);
  const found = among.flatMap((run) =>
    run.record.cases.flatMap((record) =>
      record.variant === 'candidate' && record.key === key ? [{ run, record, metric }] : [],
    ),
  );
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const labels = found.map(({ run }) => run.label);
    throw new BadMarker(
      line,
      `the case ${quoted(key)} is in the runs ${labels.join(' and ')}: write the run before it, as in ${labels[0]}:${key}`,
    );
  }
  const keys = among.flatMap(({ record }) => record.cases.map((each) => each.key));
  throw new BadMarker(
    line,
    `no run has the case ${quoted(named)}; the nearest are ${nearestFew(key, keys, 3).map(quoted).join(', ') || 'none'}`,
  );
}

/** Of `pooled:go/…` the run that is called so, and what is behind it; of anything else all runs. */
function runsNamed(named: string, runs: readonly LabelledRun[]): { runs: readonly LabelledRun[]; rest: string } {
  const colon = named.indexOf(':');
  const own = colon === -1 ? undefined : runs.find(({ label }) => label === named.slice(0, colon));
  return own === undefined ? { runs, rest: named } : { runs: [own], rest: named.slice(colon + 1) };
}

function single({ record, metric }: Figure, format: string | null, line: number): Inline {
  const value = metricOf(record, metric.name);
  const note = invalidNote([record]);
  switch (format) {
    case null:
      return entryFigure({ record }, metric) + note;
    case 'compact':
      return (
        (value === null ? absent : metric.unit === 'req/s' ? compact(value) : entryFigure({ record }, metric)) + note
      );
    case 'number':
      return (value === null ? absent : String(value)) + note;
    default:
      throw new BadMarker(line, `a figure can be written as compact or number, not as ${quoted(format)}`);
  }
}

function ratio(one: Figure, other: Figure, format: string | null, line: number): Inline {
  const written = format === null ? factor : RATIOS.get(format);
  if (written === undefined) {
    throw new BadMarker(line, `a ratio can be written as ${[...RATIOS.keys()].join(', ')}, not as ${quoted(format)}`);
  }
  const isExact = [one, other].every(({ metric }) => metric.columns.counts !== null);
  if (!isExact && one.run !== other.run && notComparable(one.run, other.run).length > 0) {
    return `${absent} (not comparable: different machines)`;
  }
  if (one.metric.unit !== other.metric.unit) {
    throw new BadMarker(
      line,
      `${one.metric.name} is in ${one.metric.unit} and ${other.metric.name} in ${other.metric.unit}: a ratio needs one unit`,
    );
  }
  const over = metricOf(one.record, one.metric.name);
  const under = metricOf(other.record, other.metric.name);
  return (
    (over === null || under === null || under === 0 ? absent : written(over / under)) +
    invalidNote([one.record, other.record])
  );
}

const RATIOS = new Map<string, (value: number) => string>([
  ['factor', factor],
  ['share', share],
  ['change', (value) => change(value - 1)],
]);

/** A figure that does not count never stands there as one that does. */
function invalidNote(records: readonly CaseRecord[]): string {
  if (records.some(({ status }) => status === 'invalid')) return ' (invalid)';
  return records.some(isBeyondService) ? ' (beyond the service)' : '';
}

/** Facts of a run by their names. */
const FACTS: Record<string, (record: RunRecord) => Inline> = {
  spec: ({ spec }) => spec.name,
  run: ({ id }) => ({ code: id }),
  date: ({ startedAt }) => startedAt.slice(0, 10),
  commit: ({ source }) => (source.sha === null ? absent : { code: source.sha.slice(0, 12) }),
  wrkbench: ({ tool }) => tool.version,
  cpu: ({ environment }) => environment.cpuModel,
  cpus: ({ environment }) => String(environment.cpuCount),
  memory: ({ environment }) => size(environment.memoryBytes),
  os: ({ environment }) => environment.os,
  kernel: ({ environment }) => environment.kernel,
  services: ({ spec }) => String(spec.services.length),
  endpoints: ({ spec }) => String(spec.endpoints.length),
  cases: ({ cases }) => String(cases.filter(({ variant }) => variant === 'candidate').length),
};

/** Of several runs what all say, and else each its own; null where there is no such fact. */
function factOf(named: string, runs: readonly LabelledRun[], line: number): Inline | null {
  const { runs: among, rest } = runsNamed(named, runs);
  if (!Object.hasOwn(FACTS, rest)) return null;
  const said = among.map(({ record }) => FACTS[rest]!(record));
  const different = new Set(said.map((each) => JSON.stringify(each)));
  if (different.size === 1) return said[0]!;
  if (rest === 'spec') return among.map(({ record }) => record.spec.name).join(', ');
  const first = among[0]!.label;
  throw new BadMarker(line, `the runs differ in ${quoted(rest)}: write the run before it, as in ${first}:${rest}`);
}
