import { visible } from '../../format/text.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Tone } from '../document.ts';
import { type Panel, type PanelRow, panels } from '../panels.ts';
import { metricOf, viewOf } from '../view.ts';

/** What the page's charts draw; a figure that was not measured is null. */
export interface PageData {
  panels: PagePanel[];
}

export interface PagePanel {
  /** The panel's table in the page has the id `ID-table`. */
  id: string;
  title: string;
  choices: Record<string, string>;
  rows: PageRow[];
}

export interface PageRow {
  label: string;
  tone: Tone;
  /** Requests per second. */
  throughput: number | null;
  latencyMs: { p50: number | null; p75: number | null; p90: number | null; p99: number | null };
  memoryBytes: { idle: number | null; peak: number | null; settled: number | null };
  /** Microseconds for each request. */
  cpuUs: { service: number | null; database: number | null };
  /** Cores busy. */
  cores: { service: number | null; database: number | null; gateway: number | null };
}

export function pageData(record: RunRecord): PageData {
  return { panels: panels(viewOf(record)).map(pagePanel) };
}

function pagePanel({ id, title, choices, rows }: Panel): PagePanel {
  const shown = Object.entries(choices).map(([name, value]) => [name, visible(value)]);
  return { id, title: visible(title), choices: Object.fromEntries(shown), rows: rows.map(pageRow) };
}

function pageRow({ label, entry: { record }, tone }: PanelRow): PageRow {
  const metric = (name: string) => metricOf(record, name);
  const total = metric('cpu-per-request');
  const database = metric('database-cpu-per-request');
  const { utilisation } = record;
  return {
    label: visible(label),
    tone,
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
    cpuUs: { service: total === null ? null : Math.max(0, total - (database ?? 0)), database },
    cores: {
      service: utilisation?.service ?? null,
      database: utilisation?.database ?? null,
      gateway: utilisation?.gateway ?? null,
    },
  };
}
