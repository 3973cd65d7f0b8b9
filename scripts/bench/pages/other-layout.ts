import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  githubActionBenchmark,
  githubActionBenchmarkBigger,
} from '../../../src/core/report/github-action-benchmark.ts';
import { manyRuns } from '../pages-data.ts';
import { CHART_MARK } from './in-browser.ts';
import type { SiteContent } from './page-files.ts';

export interface OtherLayout {
  files: SiteContent;
  points: number;
  dataBytes: number;
}

/**
 * The same points as github-action-benchmark keeps and shows them: one script with all of them as indented JSON, each with its name, unit,
 * range and what else our report in its format says; and a page that draws every series whole, each on a canvas of its own. The page is
 * written anew and does less than theirs: our version of Chart.js, from the same server, without animation.
 */
export function otherLayout(count: number): OtherLayout {
  const { run } = manyRuns(count);
  const entries: string[] = [];
  let points = 0;
  for (let index = 0; index < count; index += 1) {
    const { record } = run(index);
    const benches = [githubActionBenchmarkBigger(record), githubActionBenchmark(record)].flatMap(
      (text) => JSON.parse(text) as object[],
    );
    points += benches.length;
    entries.push(
      JSON.stringify(
        { commit: commitOf(record.source.sha), date: dateOf(index), tool: 'customSmallerIsBetter', benches },
        null,
        2,
      ),
    );
  }
  const head = { lastUpdate: dateOf(count), repoUrl: 'https://github.com/acme/api' };
  const data = Buffer.from(
    `window.BENCHMARK_DATA = ${JSON.stringify(head, null, 2).slice(0, -2)},\n  "entries": {\n    "Benchmark": [${entries.join(',')}]\n  }\n}`,
  );
  const files = new Map<string, string | Uint8Array>([
    ['index.html', PAGE],
    ['data.js', data],
    ['chart.js', readFileSync(chartScript())],
    ['draw.js', DRAW],
  ]);
  return { files, points, dataBytes: data.byteLength };
}

/** As a push event tells of it, which is what the action keeps. */
function commitOf(sha: string | null) {
  const person = { email: 'ada@example.com', name: 'Ada', username: 'ada' };
  return {
    author: person,
    committer: person,
    distinct: true,
    id: sha,
    message: 'Answer with the user and their posts',
    timestamp: '2026-11-20T09:28:02Z',
    tree_id: sha,
    url: `https://github.com/acme/api/commit/${sha}`,
  };
}

function dateOf(index: number): number {
  return Date.UTC(2024, 10, 21) + index * 6_307_200;
}

function chartScript(): string {
  const chart = createRequire(path.resolve('package.json')).resolve('chart.js');
  return path.join(path.dirname(chart), 'chart.umd.min.js');
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Benchmarks</title>
<link rel="icon" href="data:,">
</head>
<body>
<main id="main"></main>
<script src="data.js"></script>
<script src="chart.js"></script>
<script src="draw.js"></script>
</body>
</html>
`;

const DRAW = `for (const runs of Object.values(window.BENCHMARK_DATA.entries)) {
  const series = new Map();
  for (const { commit, benches } of runs) {
    for (const bench of benches) {
      if (!series.has(bench.name)) series.set(bench.name, []);
      series.get(bench.name).push({ commit, bench });
    }
  }
  for (const [name, points] of series) {
    const canvas = document.createElement('canvas');
    document.getElementById('main').append(canvas);
    new Chart(canvas, {
      type: 'line',
      data: {
        labels: points.map(({ commit }) => commit.id.slice(0, 7)),
        datasets: [{ label: name, data: points.map(({ bench }) => bench.value), borderColor: '#dea584', backgroundColor: '#dea58460', fill: true }],
      },
      options: { animation: false, scales: { y: { beginAtZero: true, title: { display: true, text: points[0].bench.unit } } } },
    });
  }
}
performance.mark(${JSON.stringify(CHART_MARK)});
`;
