import { markdownTable } from 'markdown-table';
import type { Showing } from './contest.ts';
import { BUDGETS, CHANGES, type Detection } from './detection.ts';
import { SITUATIONS } from './false-reds.ts';
import { percent, type Replay, type SourceResult } from './replay.ts';

/** The tables of a replay, ready for a document. */
export function markdownOf({ options, results }: Replay): string {
  const parts = [
    `Seed ${options.seed}; ${options.matrices} matrices for each source and situation.`,
    results.flatMap(({ source }) => (source.about === null ? [] : `- ${source.name}: ${source.about}`)).join('\n'),
    falseRedTable(results),
    coverageTable(results),
    ...results.flatMap(({ source, matrix, single }) => [
      detectionTable(`${source.name}: one changed case for each metric in a whole matrix`, matrix),
      detectionTable(`${source.name}: a single case with a single gated metric`, single),
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
  return `${title}:\n\n${markdownTable([['metric', 'threshold', 'change', ...heads], ...rows])}`;
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
  return `${name}, each rule on the same slices and seconds:\n\n${markdownTable([head, ...rows])}`;
}
