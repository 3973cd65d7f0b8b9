import { markdownTable } from 'markdown-table';
import type { Showing } from './contest.ts';
import { type FalseAnswers, SITUATIONS, upperShare } from './false-reds.ts';
import { type Line, NOTHING } from './lines.ts';
import { COUNTS, type Replay } from './replay.ts';
import { percent, redShare } from './shares.ts';
import { CHANGES, type Detection, SINGLE_ROUNDS } from './single-case.ts';
import type { SourceResult } from './source-result.ts';

const HEAD = `# How far a verdict can be trusted: the tables

Written by \`npm run bench:verdict -- --markdown docs/evidence-tables.md\`. It puts null comparisons through the code that decides:
[recorded ones](../research/recordings/noise/README.md), with the sides exchanged at random and no round twice in a matrix, and models of noise.
True changes are put on top. The rules are in [deciding.md](deciding.md); real containers with an injected cost are in
[research/recordings/live](../research/recordings/live/README.md).`;

const WORDS = `- **Matrix**: all cases of a service, with throughput, CPU, latency and memory as the default gate judges them, on the levels
  of the service, its endpoints and its cases. That of the models has 4 endpoints (2 with a database), each with 4 cases of wrk and one of
  k6.
- **False red**: a regression where the true change is at most the limit.
- **False no-change**: of a change as large as the limit; the share of all hypotheses.
- **Found**: share of the runs that are red. Changes within a limit are left out, since a red would be false there.
- **Minimum detectable effect**: what one run says that it would find; found in another run that has exactly this change.`;

const BOUNDS = `What the recordings rest on: one server program (Node.js, with Postgres and without), one virtual machine with 2 shared
cores. The matrices are drawn again and again from the same rounds, so that a share of 0 % says "rarely", not
"never". A budget ends at a fixed number of rounds here, except where it says "until decided".`;

/** The tables of a replay, as a page. */
export function markdownOf({ options, results }: Replay): string {
  const parts = [
    HEAD,
    results.flatMap(inShort).join('\n'),
    BOUNDS,
    '## Words',
    WORDS,
    `Seed ${options.seed}. ${options.matrices} matrices for each model and number of rounds at limits of 0, a tenth of it at others and of recordings. Coverage from ${COUNTS.coverage} matrices, of models a quarter of it; what is found from ${COUNTS.lines} runs, of a single case ${COUNTS.single} for each case; other rules from ${COUNTS.contest} matrices; minimum detectable effects from ${COUNTS.detectable} pairs of runs. Of 200 runs a share of 50 % is right to 7 points.`,
    results.flatMap(({ source }) => (source.about === null ? [] : `- ${source.name}: ${source.about}`)).join('\n'),
    '## False answers',
    ...SITUATIONS.map(({ name }) => falseTable(name, results)),
    coverageTable(results),
    biasTable(results),
    '## What is found at default limits',
    ...results.map(({ source, lines }) => lineTable(source.name, lines)),
    '## Minimum detectable effects',
    detectableTable(results),
    ...results.map(({ source, single }) =>
      singleTable(`${capital(source.name)}: a single case with a single gated metric, limit 0`, single),
    ),
    ...results.map(({ source, contest }) => contestTable(source.name, contest)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** What somebody reads who reads one line. */
function inShort({ source, falseAnswers }: SourceResult): string[] {
  if (source.about === null) return [];
  const [without, atZero, atLimit] = falseAnswers.map(({ atBudgets }) => percent(redShare(atBudgets)));
  return [
    `- **${capital(source.name)}.** Matrices with a false red: ${without} without a change at the default limits, ${atZero} at limits of 0, ${atLimit} with every change as large as its limit.`,
  ];
}

function falseTable(situation: string, results: readonly SourceResult[]): string {
  const own = results.flatMap(({ source, falseAnswers }) => {
    const found = falseAnswers.find((each) => each.situation === situation);
    return found === undefined ? [] : [{ name: source.name, atBudgets: found.atBudgets }];
  });
  const columns = own[0]?.atBudgets.length ?? 0;
  const heads = Array.from({ length: columns }, (_, index) => {
    const counts = [...new Set(own.flatMap(({ atBudgets }) => atBudgets[index]?.rounds ?? []))];
    return counts.includes('decided') ? 'until decided' : `${counts.join(' or ')} rounds`;
  });
  const cell = ({ matrices, red, noChange, noChangeClaims, improvement }: FalseAnswers) =>
    [
      `${percent(red / matrices)} (at most ${percent(upperShare(red, matrices))})`,
      noChangeClaims === 0 ? '' : percent(noChange / noChangeClaims),
      percent(improvement / matrices),
    ]
      .filter((text) => text !== '')
      .join(' · ');
  const kinds = situation === SITUATIONS[0]!.name ? 'false red · improvement' : 'false red · no-change · improvement';
  return markdownTable([
    [`${situation}: ${kinds}`, ...heads],
    ...own.map(({ name, atBudgets }) => [name, ...atBudgets.map(cell)]),
  ]);
}

function coverageTable(results: readonly SourceResult[]): string {
  const own = results.filter(({ coverage }) => coverage.length > 0);
  const rounds = own[0]?.coverage.map((each) => each.rounds) ?? [];
  return markdownTable([
    ['coverage of the 99 % interval: all · worst metric', ...rounds.map((each) => `${each} rounds`)],
    ...own.map(({ source, coverage }) => [
      source.name,
      ...coverage.map(({ share, least }) => `${percent(share)} · ${percent(least)}`),
    ]),
  ]);
}

function biasTable(results: readonly SourceResult[]): string {
  const rows = results.flatMap(({ source, bias }) =>
    bias === null ? [] : [[source.name, bias.series, bias.t.toFixed(2), `±${bias.limit.toFixed(2)}`]],
  );
  if (rows.length === 0) return '';
  return markdownTable([['sides not exchanged', 'metric that differs most', 't', 'limit of all, 1 %'], ...rows]);
}

function lineTable(name: string, lines: readonly Line[]): string {
  if (lines.length === 0) return '';
  const rounds = [...new Set(lines.map((each) => each.rounds))];
  const changes = [...new Set(lines.map(({ change }) => change))];
  const told = ({ share, minutes }: Line) =>
    minutes === null
      ? percent(share)
      : `${percent(share)} · ${minutes.median.toFixed(1)} and ${minutes.ninety.toFixed(1)} min`;
  const rows = changes.map((change) => [
    change === NOTHING ? change : `${change}: red`,
    ...rounds.map((count) => told(lines.find((each) => each.change === change && each.rounds === count)!)),
  ]);
  const heads = rounds.map((count) => (count === 'decided' ? 'until decided · half, 90 % of runs' : `${count} rounds`));
  return markdownTable([[capital(name), ...heads], ...rows]);
}

function detectableTable(results: readonly SourceResult[]): string {
  const rows = results.flatMap(({ source, detectable }) =>
    detectable.map(({ rounds, found, detectable: change, refused }) => [
      source.name,
      `${rounds}`,
      Number.isFinite(change) ? percent(Math.expm1(change)) : '',
      percent(found),
      percent(refused),
    ]),
  );
  return markdownTable([['model', 'rounds', 'median effect', 'found in another run', 'too large to be told'], ...rows]);
}

function singleTable(title: string, detections: readonly Detection[]): string {
  if (detections.length === 0) return '';
  const counts = SINGLE_ROUNDS.filter((rounds) => detections.some((each) => each.rounds === rounds));
  const rows = [...new Set(detections.map(({ metric }) => metric))].flatMap((metric) => {
    const own = detections.filter((each) => each.metric === metric);
    const { seconds, rounds } = own[0]!;
    return CHANGES.map((change) => [
      metric,
      `${(seconds / rounds).toFixed(1)} s`,
      percent(change),
      ...counts.map((count) => percent(own.find((each) => each.rounds === count && each.change === change)!.found)),
    ]);
  });
  const heads = counts.map((count) => `${count} rounds`);
  return `## ${title}\n\n${markdownTable([['metric', 'load of a round', 'change', ...heads], ...rows])}`;
}

function contestTable(name: string, contest: readonly Showing[]): string {
  if (contest.length === 0) return '';
  const changes = Object.keys(contest[0]!.found);
  const rows = contest.map(({ rule, source, threshold, rounds, falseRed, found }) => [
    source === '' ? rule : `${rule} (${source})`,
    threshold,
    `${rounds}`,
    percent(falseRed),
    ...changes.map((change) => (found[change] === null ? '' : percent(found[change]!))),
  ]);
  const head = ['rule', 'limit', 'rounds', 'red matrices without a change', ...changes.map((c) => `${c} found`)];
  const runs = [...new Set(contest.map(({ rounds, pastRuns }) => `${pastRuns} of ${rounds} rounds`))];
  const words = `The same matrices for every rule: rounds that follow each other, and before them the runs that some rules look back on (${runs.join(', ')}). One case changes in all that its requests cost, and found is a matrix that is red. As they are used, the other rules would take more samples in the time that restarting takes here; auto-sampling begins with 5 samples here, not with 50.`;
  return `## ${capital(name)}: each rule on the same rounds\n\n${words}\n\n${markdownTable([head, ...rows])}`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
