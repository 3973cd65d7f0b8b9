import { markdownTable } from 'markdown-table';
import type { Showing } from './contest.ts';
import { BUDGETS, CHANGES, type Detection } from './detection.ts';
import { type FalseAnswers, SITUATIONS } from './false-reds.ts';
import { COUNTS, percent, type Replay, redShare } from './replay.ts';
import { SERVICE_MEMORY } from './source.ts';
import type { SourceResult } from './source-result.ts';

const HEAD = `# How far a verdict can be trusted

Written by \`npm run bench:verdict -- --markdown docs/evidence.md\`, which puts slices of null comparisons
([recorded](../fixtures/noise/README.md), and models of noise) through the code that decides, with sides exchanged at random,
no instance twice in a matrix, and true changes put on top. What the rules are is in [method.md](method.md); real containers
with a cost injected are in [fixtures/live](../fixtures/live/README.md).`;

const WORDS = `- **Matrix**: all cases of a recording, with throughput, CPU, latency and memory as the default gate judges them, and the
  memory of the service.
- **False red**: a regression where the true change is at most the limit. False no-change: of a change as large as the limit.
- **Found**: share of repetitions in which what was changed was called a regression; one case is changed in one metric, memory
  in all cases of the service. Changes within a limit are left out, for there a red is false.
- **Seconds**: of a matrix wall clock, as it was recorded; of a single case load alone, with one duet in an instance.
- **Foretold**: by \`wrkbench plan\`, from one half of a recording's instances; found in the other half.`;

const BOUNDS = `What this rests on: one server program (Node.js, with Postgres and without), one virtual machine with 2 shared cores, two days.
The matrices are drawn again and again from the same instances, so that a share of 0 % says "rarely", not "never". A budget ends at a
fixed number of instances here, but where it says "until decided". Half of a recording in turn (of 23 instances) is too
little to tell its own scatter from: what is foretold there is shown, and held to no target.`;

/** The tables of a replay, as a page. */
export function markdownOf({ options, results, foretold }: Replay): string {
  const parts = [
    HEAD,
    results.flatMap(inShort).join('\n'),
    BOUNDS,
    '## Words',
    WORDS,
    `Seed ${options.seed}. ${options.matrices} matrices for each situation, a quarter for each number of instances; coverage from ${COUNTS.coverage}; what is found from ${COUNTS.detection} repetitions, of a single case ${COUNTS.single} for each case; other rules from ${COUNTS.contest} matrices; foretold from ${COUNTS.foretelling}. Of 200 repetitions a share of 50 % is right to 7 points.`,
    results.flatMap(({ source }) => (source.about === null ? [] : `- ${source.name}: ${source.about}`)).join('\n'),
    '## False answers',
    ...SITUATIONS.map(({ name }) => falseTable(name, results)),
    coverageTable(results),
    biasTable(results),
    foretoldTable(foretold),
    ...results.flatMap(({ source, matrix, single }) => [
      detectionTable(`${capital(source.name)}: one change in a whole matrix`, matrix),
      detectionTable(`${capital(source.name)}: a single case with a single gated metric`, single),
    ]),
    ...results.map(({ source, contest }) => contestTable(source.name, contest)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** What somebody reads who reads one line. */
function inShort({ source, falseAnswers, matrix }: SourceResult): string[] {
  if (source.about === null) return [];
  const [without, atZero, atLimit] = falseAnswers.map(({ atBudgets }) => percent(redShare(atBudgets)));
  const found = (change: number, instances: number) => {
    const seen = matrix.find(
      (each) =>
        each.metric === 'cpu-per-request' &&
        each.threshold !== 'default' &&
        each.change === change &&
        each.instances === instances,
    );
    return seen === undefined ? [] : [`${percent(change)} in ${percent(seen.found)} after ${told(seen)}`];
  };
  const finds = [...found(0.1, 5), ...found(0.05, 10), ...found(0.02, 20)];
  return [
    `- **${capital(source.name)}.** Matrices with a false red: ${without} without a change at the default limits, ${atZero} at limits of 0, ${atLimit} with every change as large as its limit. More CPU per request in one case of the matrix, limit 0, is found: ${finds.join(', ')}.`,
  ];
}

function told({ instances, seconds }: Detection): string {
  return seconds === null ? `${instances} instances` : `${instances} instances (${duration(seconds)})`;
}

function duration(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function falseTable(situation: string, results: readonly SourceResult[]): string {
  const own = results.flatMap(({ source, falseAnswers }) => {
    const found = falseAnswers.find((each) => each.situation === situation);
    return found === undefined ? [] : [{ name: source.name, atBudgets: found.atBudgets }];
  });
  const columns = own[0]?.atBudgets.length ?? 0;
  const heads = Array.from({ length: columns }, (_, index) => {
    const counts = [...new Set(own.flatMap(({ atBudgets }) => atBudgets[index]?.instances ?? []))];
    return counts.includes('decided') ? 'until decided' : `${counts.join(' or ')} instances`;
  });
  const cell = ({ matrices, red, noChange, improvement }: FalseAnswers) =>
    [red, noChange, improvement].map((count) => percent(count / matrices)).join(' · ');
  return markdownTable([
    [`${situation}: false red · no-change · improvement`, ...heads],
    ...own.map(({ name, atBudgets }) => [name, ...atBudgets.map(cell)]),
  ]);
}

function coverageTable(results: readonly SourceResult[]): string {
  const instances = results[0]?.coverage.map((each) => each.instances) ?? [];
  return markdownTable([
    ['coverage of the 99 % interval: all · worst series', ...instances.map((each) => `${each} instances`)],
    ...results.map(({ source, coverage }) => [
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
  return markdownTable([['sides not exchanged', 'series that differs most', 't', 'limit of all, 1 %'], ...rows]);
}

function foretoldTable(foretold: Replay['foretold']): string {
  if (foretold.length === 0) return '';
  const rows = foretold.map(({ name, metric, instances, told, found }) => [
    name,
    metric,
    `${instances}`,
    percent(Math.expm1(told)),
    percent(Math.expm1(found)),
  ]);
  return markdownTable([
    ['how far beyond its limit a change is called in nine of ten', 'metric', 'instances', 'foretold', 'found'],
    ...rows,
  ]);
}

function detectionTable(title: string, detections: readonly Detection[]): string {
  if (detections.length === 0) return '';
  const budgets = BUDGETS.filter((instances) => detections.some((each) => each.instances === instances));
  const isMatrix = detections.some(({ metric }) => metric === SERVICE_MEMORY.metric);
  const rows = [...new Set(detections.map(({ metric, threshold }) => `${metric} ${threshold}`))].flatMap((name) => {
    const own = detections.filter(({ metric, threshold }) => `${metric} ${threshold}` === name);
    const { metric, threshold, instances, seconds } = own[0]!;
    const shown = metric === SERVICE_MEMORY.metric ? `${metric}, of the service` : metric;
    return CHANGES.filter((change) => own.some((each) => each.change === change)).map((change) => [
      shown,
      ...(isMatrix ? [String(threshold)] : [`${(seconds! / instances).toFixed(1)} s`]),
      percent(change),
      ...budgets.map((count) => percent(own.find((each) => each.instances === count && each.change === change)!.found)),
    ]);
  });
  const heads = budgets.map((instances) => {
    const seconds = detections.find((each) => each.instances === instances)!.seconds;
    return isMatrix ? told({ instances, seconds } as Detection) : `${instances} instances`;
  });
  const second = isMatrix ? 'limit' : 'load of an instance';
  return `## ${title}\n\n${markdownTable([['metric', second, 'change', ...heads], ...rows])}`;
}

function contestTable(name: string, contest: readonly Showing[]): string {
  if (contest.length === 0) return '';
  const changes = Object.keys(contest[0]!.found);
  const rows = contest.map(({ rule, source, threshold, instances, falseRed, found }) => [
    source === '' ? rule : `${rule} (${source})`,
    threshold,
    `${instances}`,
    percent(falseRed),
    ...changes.map((change) => (found[change] === null ? '' : percent(found[change]!))),
  ]);
  const head = ['rule', 'limit', 'instances', 'red matrices without a change', ...changes.map((c) => `${c} found`)];
  const runs = [...new Set(contest.map(({ instances, pastRuns }) => `${pastRuns} of ${instances} instances`))];
  const words = `The same matrices for every rule: instances that follow each other, and before them the runs that some rules look back on (${runs.join(', ')}). One case changes in all that its requests cost. As they are used, the other rules would take more slices in the time that restarting takes here; auto-sampling begins with 5 samples here, not with 50.`;
  return `## ${capital(name)}: each rule on the same slices and seconds\n\n${words}\n\n${markdownTable([head, ...rows])}`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
