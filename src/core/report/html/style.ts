/** The page's style sheet: one column, light or dark as the reader's system is, legible from 320 pixels up, printable. */
export const style = `:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --quiet: #59636e;
  --accent: #0969da; --reference: #818b98; --bad: #b3261e; --bad-page: #fff1f0; --warn-page: #fff8c5; --warn-line: #bf8700;
  --good: #1a7f37; --good-page: #eefbf1; --open: #9a6700;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --raised: #161b22; --line: #3d444d; --text: #f0f6fc; --quiet: #9aa4af;
    --accent: #58a6ff; --reference: #7d8590; --bad: #ff8a80; --bad-page: #2d1513; --warn-page: #2b2411; --warn-line: #d29922;
    --good: #56d364; --good-page: #10251a; --open: #e3b341;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1, h2, h3, p, li, summary, nav a { overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 .75rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
p { margin: .5rem 0; max-width: 48rem; }
ul { padding-left: 1.25rem; max-width: 48rem; }
li { margin: .25rem 0; }
a { color: var(--accent); }
.headline { font-size: 1.15rem; }
.verdict { border-left: 5px solid var(--quiet); background: var(--raised); padding: .6rem .8rem; max-width: none; }
.verdict.fail, .verdict.invalid { border-color: var(--bad); background: var(--bad-page); }
.verdict.pass { border-color: var(--good); background: var(--good-page); }
.verdict.undecided { border-color: var(--warn-line); background: var(--warn-page); }
.mark { font-weight: 700; }
.mark.fail, .mark.invalid { color: var(--bad); }
.mark.pass { color: var(--good); }
.mark.undecided { color: var(--open); }
.caption { font-weight: 600; margin-top: 1.25rem; }
.warning { background: var(--warn-page); border-left: 4px solid var(--warn-line); padding: .6rem .8rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .25rem .5rem; z-index: 1; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
nav a { padding: .15rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
section { scroll-margin-top: 1rem; }
section[hidden] { display: none; }
footer { color: var(--quiet); border-top: 1px solid var(--line); margin-top: 3rem; padding-bottom: 2rem; font-size: .875rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
code { background: var(--raised); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.scroll { overflow-x: auto; max-width: 100%; margin: .5rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9375rem; }
th, td { padding: .35rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; unicode-bidi: isolate; }
thead th { color: var(--quiet); font-weight: 600; font-size: .875rem; white-space: nowrap; }
tbody tr { background: var(--page); }
tbody th { font-weight: inherit; max-width: 20rem; overflow-wrap: anywhere; min-width: 7rem; background: inherit; }
thead th.left:first-child, tbody th { position: sticky; left: 0; }
thead th.left:first-child { background: var(--page); }
.left { text-align: left; max-width: 30rem; overflow-wrap: anywhere; }
td.left { min-width: 9rem; }
td.left:last-child { min-width: 14rem; }
.right { text-align: right; white-space: nowrap; }
tr.best { font-weight: 700; }
tr.reference { color: var(--quiet); }
tr.invalid { color: var(--bad); background: var(--bad-page); }
.bars {
  display: grid; grid-template-columns: minmax(4rem, max-content) minmax(3rem, 1fr) max-content;
  gap: .3rem .75rem; align-items: center; max-width: 48rem; margin: .5rem 0 1.5rem; font-size: .875rem;
}
.bar-label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 12rem; unicode-bidi: isolate; }
.bar { height: .95rem; }
.bar span { display: block; height: 100%; min-width: 2px; background: var(--accent); border-radius: 0 3px 3px 0; }
.bar.reference span { background: var(--reference); }
.bar.invalid span { background: none; border: 1px dashed var(--bad); }
.bar-figure { text-align: right; font-variant-numeric: tabular-nums; }
.intervals { margin: 1.25rem 0; }
.intervals figcaption { margin-bottom: .4rem; font-weight: 600; }
.intervals figcaption small { display: block; font-weight: 400; color: var(--quiet); font-size: .8125rem; }
.interval-rows {
  display: grid; grid-template-columns: minmax(4rem, max-content) minmax(6rem, 1fr) max-content;
  gap: 0 .75rem; align-items: center; font-size: .875rem;
}
.interval-row { display: contents; }
.interval-label { overflow-wrap: anywhere; max-width: 24rem; unicode-bidi: isolate; }
.interval-figure { font-variant-numeric: tabular-nums; white-space: nowrap; }
.interval, .interval-axis { display: block; width: 100%; overflow: visible; color: var(--quiet); }
.interval-axis text { fill: var(--quiet); font-size: .75rem; }
.interval .tick { stroke: var(--line); }
.interval .zero { stroke: var(--quiet); }
.interval .band { fill: var(--quiet); opacity: .16; }
.interval .adjusted { stroke: currentColor; stroke-width: 1.5; }
.interval .marginal { stroke: currentColor; stroke-width: 5; }
.interval circle { fill: currentColor; stroke: var(--page); stroke-width: 1.5; }
.interval.fail, .interval.invalid { color: var(--bad); }
.interval.pass { color: var(--good); }
.interval.undecided { color: var(--open); }
.interval.none { color: var(--accent); }
details { margin: .75rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
.controls { display: flex; flex-wrap: wrap; gap: .75rem 1rem; }
.controls label { display: grid; gap: .2rem; font-size: .875rem; color: var(--quiet); max-width: 100%; }
.controls select {
  font: inherit; font-size: 1rem; color: var(--text); background: var(--raised); border: 1px solid var(--quiet);
  border-radius: 6px; padding: .4rem .5rem; max-width: 100%; min-height: 2.5rem;
}
.chosen { font-weight: 600; margin-top: 1rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
.charts figure { margin: 0; min-width: 0; border: 1px solid var(--line); border-radius: 8px; padding: .75rem; }
.charts figcaption { font-weight: 600; }
.charts figcaption small { display: block; font-weight: 400; color: var(--quiet); font-size: .8125rem; }
.canvas { position: relative; width: 100%; }
@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; }
  th, td { padding: .3rem .5rem; }
  tbody th { min-width: 6rem; max-width: 9.5rem; }
  .bars { grid-template-columns: minmax(3rem, 7rem) minmax(2rem, 1fr) max-content; gap: .3rem .5rem; }
  .interval-rows { display: block; padding: 0 .75rem; }
  .interval-row { display: grid; grid-template-columns: 1fr max-content; gap: 0 .75rem; align-items: end; margin-top: .4rem; }
  .interval, .interval-axis { grid-column: 1 / -1; grid-row: 2; }
  nav { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; }
  .controls label { flex: 1 1 8rem; min-width: 0; }
  .controls select { width: 100%; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --raised: #f6f8fa; --line: #bbb; --text: #000; --quiet: #444; --accent: #0550ae; --reference: #777;
    --bad: #a40e26; --bad-page: #fff; --warn-page: #fff;
    --good: #116329; --good-page: #fff; --open: #7d4e00;
  }
  body { font-size: 10pt; }
  nav, .controls, .skip { display: none; }
  header, main, footer { max-width: none; padding: 0; }
  h2, h3, .caption { break-after: avoid; }
  tr, figure, .bars, pre { break-inside: avoid; }
  .scroll { overflow: visible; }
  .bar span, .interval { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  table, thead th { font-size: 8.5pt; }
  th, td { padding: .15rem .4rem; }
}
`;
