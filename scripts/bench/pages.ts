import { loadavg } from 'node:os';
import { measuredOther, measuredPages, type PagesInBrowser } from './pages/in-browser.ts';
import { otherLayout } from './pages/other-layout.ts';
import { pageFiles } from './pages/page-files.ts';
import { bytesPerPoint, MANY_RUNS, publishWrittenBytes, runFileBytes } from './pages-data.ts';
import { publicationCost } from './publication-cost.ts';
import { separateGitServer } from './separate-git-server.ts';
import { atMost, type BenchResult, rounded } from './target.ts';

/** The published pages of 10,000 runs of 64 series: what they weigh, and how fast Chromium shows them. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const load = [loadavg()[0]!];
  const server = await separateGitServer();
  const { pages, ratio, figures } = await publicationCost(server, say).finally(() => server.close());
  load.push(loadavg()[0]!);
  say('showing them in Chromium');
  const own = await measuredPages(await pageFiles(pages));
  load.push(loadavg()[0]!);
  say("the same points in github-action-benchmark's layout");
  const layout = otherLayout(MANY_RUNS);
  const other = await measuredOther(layout.files);
  load.push(loadavg()[0]!);
  return {
    figures: {
      ...figures,
      ...browserFigures(own),
      "github-action-benchmark's layout, points": layout.points,
      "github-action-benchmark's layout, bytes of data.js": layout.dataBytes,
      "github-action-benchmark's layout, bytes per point": rounded(layout.dataBytes / layout.points),
      "github-action-benchmark's layout, bytes until its charts are drawn": other.bytes,
      "github-action-benchmark's layout, the same with gzip": other.zipped,
      "github-action-benchmark's layout, ms until its charts are drawn": other.chartMs,
      'load average of the machine (before, after publishing, our pages, the other layout)': load
        .map((each) => each.toFixed(2))
        .join(', '),
    },
    targets: [
      atMost('first-chart-ms', own.firstChart.median, 1000),
      atMost('first-load-bytes', own.firstLoad.bytes, 500_000),
      atMost('change-series-ms', own.changeSeries.median, 200),
      atMost('bytes-per-point', rounded(bytesPerPoint(pages)), 40),
      atMost('run-file-bytes', runFileBytes(), 32_000),
      atMost('publish-written-bytes', publishWrittenBytes(pages), 64_000),
      atMost('publish-ratio', ratio, 1.5),
    ],
  };
}

function browserFigures({ chromium, firstChart, firstLoad, all, changeSeries, addCase }: PagesInBrowser) {
  return {
    Chromium: chromium,
    'first chart, ms of each time': firstChart.each.join(', '),
    'first load, requests': firstLoad.requests,
    'first load with gzip, bytes': firstLoad.zipped,
    'all runs loaded and drawn, ms': all,
    'another metric of all runs, ms of each time': changeSeries.each.join(', '),
    'a second case of all runs added, ms': addCase,
  };
}
