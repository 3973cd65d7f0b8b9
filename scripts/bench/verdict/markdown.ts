import { markdownTable } from 'markdown-table';
import type { Showing } from './contest.ts';
import { BUDGETS, CHANGES, type Detection } from './detection.ts';
import { SITUATIONS } from './false-reds.ts';
import { percent, type Replay, type SourceResult } from './replay.ts';

const HEAD = `# How far a verdict can be trusted

Written by \`npm run bench:verdict -- --markdown docs/evidence.md\`, which puts slices of null comparisons
([recorded](../fixtures/noise/README.md), and models of noise) through the code that decides, with sides exchanged at random,
no instance twice in a matrix, and true changes put on top. What the rules are is in [method.md](method.md).

- **Matrix**: all cases of a recording with all metrics that the default gate judges, and the memory of the service.
- **False red**: a regression where the true change is at most the limit. Budgets end after 3 to 28 instances, in turn.
- **Found**: share of the changed cases that were called a regression, by the instances that a budget was enough for and the
  seconds of load that they took. Where the limit is not 0 only the part of a change that is beyond it can be found.
  Memory changes in all cases of a service, for it is the service's; where rules are held beside each other it does not.
- **Foretold**: by \`wrkbench plan\`, from one half of a recording's instances; found in the other half.`;

/** The tables of a replay, as a page. */
export function markdownOf({ options, results, foretold }: Replay): string {
  const parts = [
    HEAD,
    `Seed ${options.seed}; ${options.matrices} matrices for each source and situation.`,
    results.flatMap(({ source }) => (source.about === null ? [] : `- ${source.name}: ${source.about}`)).join('\n'),
    falseRedTable(results),
    coverageTable(results),
    foretoldTable(foretold),
    ...results.flatMap(({ source, matrix, single }) => [
      detectionTable(`${capital(source.name)}: one changed case of each metric in a whole matrix`, matrix),
      detectionTable(`${capital(source.name)}: a single case with a single gated metric`, single),
    ]),
    ...results.map(({ source, contest }) => contestTable(source.name, contest)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function falseRedTable(results: readonly SourceResult[]): string {
  const situations = SITUATIONS.map(({ name }) => name);
  return markdownTable([
    ['matrices with a false red', ...situations, 'false no-change at the thresholds'],
    ...results.map(({ source, falseReds }) => [
      source.name,
      ...situations.map((name) => {
        const found = falseReds.find(({ situation }) => situation === name);
        return found === undefined ? '' : percent(found.share);
      }),
      percent(falseReds.at(-1)!.falseNoChange),
    ]),
  ]);
}

function coverageTable(results: readonly SourceResult[]): string {
  const instances = results[0]?.coverage.map((each) => each.instances) ?? [];
  return markdownTable([
    ['coverage of the 99 % interval', ...instances.map((each) => `${each} instances`)],
    ...results.map(({ source, coverage }) => [source.name, ...coverage.map(({ share }) => percent(share))]),
  ]);
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
    ['beyond the limit, called in nine of ten', 'metric', 'instances', 'foretold', 'found'],
    ...rows,
  ]);
}

function detectionTable(title: string, detections: readonly Detection[]): string {
  if (detections.length === 0) return '';
  const budgets = BUDGETS.filter((instances) => detections.some((each) => each.instances === instances));
  const rows = [...new Set(detections.map(({ metric, threshold }) => `${metric} ${threshold}`))].flatMap((name) => {
    const own = detections.filter(({ metric, threshold }) => `${metric} ${threshold}` === name);
    return CHANGES.map((change) => [
      own[0]!.metric,
      `${own[0]!.threshold}`,
      percent(change),
      ...budgets.map((instances) =>
        percent(own.find((each) => each.instances === instances && each.change === change)!.found),
      ),
    ]);
  });
  const heads = budgets.map((instances) => {
    const { seconds } = detections.find((each) => each.instances === instances)!;
    return `${instances} instances, ${Math.round(seconds)} s`;
  });
  return `## ${title}\n\n${markdownTable([['metric', 'threshold', 'change', ...heads], ...rows])}`;
}

function contestTable(name: string, contest: readonly Showing[]): string {
  if (contest.length === 0) return '';
  const changes = Object.keys(contest[0]!.found);
  const rows = contest.map(({ rule, source, threshold, instances, falseRed, found }) => [
    source === '' ? rule : `${rule} (${source})`,
    threshold,
    `${instances}`,
    percent(falseRed),
    ...changes.map((change) => percent(found[change]!)),
  ]);
  const head = ['rule', 'threshold', 'instances', 'red matrices without a change', ...changes.map((c) => `${c} found`)];
  return `## ${capital(name)}: each rule on the same slices and seconds\n\n${markdownTable([head, ...rows])}`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
