import type { Comparison } from '../../comparison/comparison.ts';
import { visible } from '../../format/text.ts';
import type { CaseRecord, RunRecord } from '../../record/run-record.ts';
import { endpointsByVerdict } from '../comparison/by-verdict.ts';
import { caseFindings } from '../comparison/findings.ts';
import { type Panel, type PanelRow, panels } from '../panels.ts';
import type { Tone } from '../pictures.ts';
import { metricOf, viewOf } from '../view.ts';

/** What the page's charts draw; a figure that was not measured is null. */
export interface PageData {
  panels: PagePanel[];
  /** Index of the panel to show first: that of the worst regression. */
  first: number;
  /** The worst regression is of memory or CPU, whose charts are else folded. */
  showsResources: boolean;
}

export interface PagePanel {
  /** The panel's table in the page has the id `ID-table`. */
  id: string;
  title: string;
  choices: Record<string, string>;
  rows: PageRow[];
}

export interface PageRow extends PageFigures {
  label: string;
  tone: Tone;
  /** What it is compared with; null where it is with nothing. */
  baseline: PageFigures | null;
}

export interface PageFigures {
  /** Requests per second. */
  throughput: number | null;
  latencyMs: { p50: number | null; p75: number | null; p90: number | null; p99: number | null };
  memoryBytes: { idle: number | null; peak: number | null; settled: number | null };
  /** Microseconds for each request; those of dependencies, all together, are absent where there are none. */
  cpuUs: { service: number | null; database: number | null; dependencies?: number };
  /** Cores busy. */
  cores: { service: number | null; database: number | null; gateway: number | null; dependencies?: number };
}

export function pageData(record: RunRecord, comparison: Comparison | null = null): PageData {
  const own = panels(viewOf(record, endpointsByVerdict(comparison)));
  const baselines = baselineFigures(record, comparison);
  const worst = comparison === null ? undefined : caseFindings(comparison)[0];
  const first = own.findIndex(({ rows }) => rows.some(({ entry }) => entry.record.key === worst?.key));
  const isOfResources = /^(database-|dependencies-)?(cpu|memory)-/.test(worst?.findings[0].metric ?? '');
  return {
    panels: own.map((panel) => pagePanel(panel, baselines)),
    first: Math.max(0, first),
    showsResources: worst?.kind === 'regression' && isOfResources,
  };
}

type Baselines = ReadonlyMap<string, PageFigures>;

function pagePanel({ id, title, choices, rows }: Panel, baselines: Baselines): PagePanel {
  const shown = Object.entries(choices).map(([name, value]) => [name, visible(value)]);
  return {
    id,
    title: visible(title),
    choices: Object.fromEntries(shown),
    rows: rows.map((row) => pageRow(row, baselines)),
  };
}

function pageRow({ label, entry: { record }, tone }: PanelRow, baselines: Baselines): PageRow {
  const baseline = baselines.get(record.key) ?? null;
  return { label: visible(label), tone, ...figures((name) => metricOf(record, name), record.utilisation), baseline };
}

/** Case → what the baseline did in it by itself, as the candidate's own figures are of it by itself. */
function baselineFigures(record: RunRecord, comparison: Comparison | null): Map<string, PageFigures> {
  const utilisations = new Map(
    record.cases.flatMap(({ key, variant, utilisation }) => (variant === 'baseline' ? [[key, utilisation]] : [])),
  );
  const compared = comparison?.cases.filter(({ presence }) => presence === 'both') ?? [];
  return new Map(
    compared.map(({ key, metrics }) => {
      const metric = (name: string) => (Object.hasOwn(metrics, name) ? (metrics[name]?.baseline ?? null) : null);
      return [key, figures(metric, utilisations.get(key) ?? null)];
    }),
  );
}

function figures(metric: (name: string) => number | null, utilisation: CaseRecord['utilisation']): PageFigures {
  const total = metric('cpu-per-request');
  const database = metric('database-cpu-per-request');
  const dependencies = metric('dependencies-cpu-per-request');
  const beside = (database ?? 0) + (dependencies ?? 0);
  return {
    throughput: metric('throughput'),
    latencyMs: {
      p50: metric('latency-p50'),
      p75: metric('latency-p75'),
      p90: metric('latency-p90'),
      p99: metric('latency-p99'),
    },
    memoryBytes: {
      idle: metric('memory-idle'),
      peak: metric('memory-peak'),
      settled: metric('memory-settled'),
    },
    cpuUs: {
      service: total === null ? null : Math.max(0, total - beside),
      database,
      ...(dependencies === null ? {} : { dependencies }),
    },
    cores: {
      service: utilisation?.service ?? null,
      database: utilisation?.database ?? null,
      gateway: utilisation?.gateway ?? null,
      ...(utilisation?.dependencies === undefined ? {} : { dependencies: utilisation.dependencies }),
    },
  };
}
