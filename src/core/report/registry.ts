import type { Comparison } from '../comparison/comparison.ts';
import type { RunRecord } from '../record/run-record.ts';
import { bencher } from './bencher.ts';
import { csv } from './csv.ts';
import { githubActionBenchmark, githubActionBenchmarkBigger } from './github-action-benchmark.ts';
import { html, type PageAssets } from './html/index.ts';
import { markdown } from './markdown/index.ts';

/** All that the rest of the program knows of a format. A new one is a file (or folder) here and a line below. */
export interface ReportFormat {
  /** As in `wrkbench report --format NAME`. */
  name: string;
  /** What it is, for the command's help. */
  title: string;
  /** What `run` and other writers call the file. */
  fileName: string;
  /** `comparison`: of the record with its baseline; null where it has none. Formats for programs leave it out. */
  render(record: RunRecord, comparison: Comparison | null, assets: PageAssets): string;
}

export const reportFormats: readonly ReportFormat[] = [
  { name: 'markdown', title: 'tables and bars for people', fileName: 'report.md', render: markdown },
  { name: 'html', title: 'one page with charts, opens offline', fileName: 'report.html', render: html },
  { name: 'csv', title: 'one row per case and metric', fileName: 'report.csv', render: csv },
  { name: 'json', title: 'the run record itself', fileName: 'report.json', render: json },
  {
    name: 'github-action-benchmark',
    title: 'for github-action-benchmark, tool customSmallerIsBetter: latency, CPU, memory, counts',
    fileName: 'github-action-benchmark.json',
    render: githubActionBenchmark,
  },
  {
    name: 'github-action-benchmark-bigger',
    title: 'for github-action-benchmark, tool customBiggerIsBetter: throughput',
    fileName: 'github-action-benchmark-bigger.json',
    render: githubActionBenchmarkBigger,
  },
  { name: 'bencher', title: 'Bencher Metric Format', fileName: 'bencher.json', render: bencher },
];

/** Null where there is no format of that name. */
export function reportFormat(name: string): ReportFormat | null {
  return reportFormats.find((format) => format.name === name) ?? null;
}

/** The record itself, as `run.json` holds it. */
function json(record: RunRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
