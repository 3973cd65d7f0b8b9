import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Section } from '../document.ts';
import { reportDocument } from '../sections/index.ts';
import { inlineHtml, sectionHtml } from './blocks.ts';
import { embeddedJson, escapeHtml } from './escape.ts';
import { pageData } from './page-data.ts';
import { style } from './style.ts';

/** What the page carries that is made elsewhere: its script, built from `site/`. */
export interface PageAssets {
  /** Must hold no `</script`; `app/report.ts` sees to it. */
  script: string;
  /** `sha256-…`, base64, of `script`: the only script that the page lets run. */
  scriptHash: string;
}

/**
 * `report.html`: one file that opens offline. It asks nobody for anything, runs no script but its own, and says all it
 * has to say in tables without it.
 */
export function html(record: RunRecord, comparison: Comparison | null, { script, scriptHash }: PageAssets): string {
  const report = reportDocument(record, comparison);
  const { mark } = report;
  const title = escapeHtml(report.title);
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const contents = report.sections.map(({ id, title: name }) => `<a href="#${id}">${inlineHtml(name)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}: wrkbench report</title>
<link rel="icon" href="data:,">
<style>
${style}</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
<header>
<h1>${title}</h1>
<p class="headline${mark === null ? '' : ` verdict ${mark}`}">${mark === null ? '' : `${inlineHtml({ mark })} `}${inlineHtml(report.headline)}</p>
<nav aria-label="Contents">${contents.join('\n')}</nav>
</header>
<main id="report">
${report.sections.filter(isFirst).map(sectionHtml).join('\n')}
${chartsSection}
${report.sections
  .filter((section) => !isFirst(section))
  .map(sectionHtml)
  .join('\n')}
</main>
<footer><p>wrkbench ${escapeHtml(record.tool.version)}, run ${escapeHtml(record.id)}, ${escapeHtml(record.finishedAt)}</p></footer>
<script type="application/json" id="page-data">${embeddedJson(pageData(record))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The comparison comes before the charts, which are the candidate's alone. */
function isFirst({ id }: Section): boolean {
  return id === 'comparison';
}

/** Filled and shown by the page's script. */
const chartsSection = `<section id="charts" hidden>
<h2>Charts</h2>
<div class="controls" id="controls"></div>
<p class="chosen" id="chosen" aria-live="polite"></p>
<div id="chosen-table"></div>
<div class="charts" id="chart-list"></div>
</section>`;
