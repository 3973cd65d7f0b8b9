import { limitText } from '../comparison/sentences.ts';
import { metrics } from '../metrics/registry.ts';
import { percent, signedPercent } from '../report/comparison/change-figures.ts';
import type { Limit, ResolvedSpec } from '../spec/resolved.ts';
import { DEVIATIONS_SOURCE } from './deviations.ts';
import {
  FEW_INSTANCES,
  type Foretelling,
  type ForetoldQuestion,
  isCompared,
  secondsForInstances,
} from './foretelling.ts';
import { changeBeyond } from './foretold-change.ts';
import { counted, durationText } from './plan-text.ts';

/** What comparing takes and shows, for a person; empty where nothing is compared. Services with the same prospects share a part. */
export function foretellingText(spec: ResolvedSpec, foretold: readonly Foretelling[]): string {
  const { baseline, budgetSeconds } = spec.gate;
  if (!isCompared(spec, foretold)) return '';
  if (baseline === 'stored') {
    return '\nComparing with stored numbers takes no time; what it can show depends on how past runs scattered.\n';
  }
  const each = foretold.length === 1 ? '' : `, ${durationText(foretold[0]!.budgetSeconds)} for each service`;
  const parts = new Map<string, string[]>();
  for (const one of foretold) {
    const text = partText(spec, one, foretold.length);
    parts.set(text, [...(parts.get(text) ?? []), one.service]);
  }
  return [
    `\nComparing with a baseline, in a budget of ${durationText(budgetSeconds)}${each}\n`,
    ...[...parts].map(([text, services]) => `\n${services.join(', ')}, ${text}\n`),
    ...(foretold.some(({ instances }) => instances >= 2)
      ? [`\nForetold from ${DEVIATIONS_SOURCE}; where a machine or service scatters more, less is seen.\n`]
      : []),
  ].join('');
}

function partText({ database }: ResolvedSpec, foretold: Foretelling, services: number): string {
  const { pairing, instance, instances, questions, exact, budgetSeconds } = foretold;
  const pairs = pairing === 'duet' ? counted(instance.pairsEach, 'duet') : 'one pair of slices in turn';
  const rows = [
    ...(instances < 2 ? [] : questionRows(questions)),
    ...exact.map(({ metric, limit }) => [metric.name, 'without load', `limit ${limitWords(metric, limit)}`, 'exactly']),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((cells) => cells[column]!.length)));
  const few = `a budget of ${durationText(secondsForInstances(foretold, FEW_INSTANCES, services))} is enough for ${FEW_INSTANCES}`;
  const seconds = durationText(instance.seconds);
  return [
    instances < 2
      ? `for which ${durationText(budgetSeconds)} are too short: one instance of both sides takes ${seconds}; ${few}`
      : `about ${instances} instances of both sides, ${seconds} each with ${pairs} per case; ` +
        '9 in 10 changes of this size are then called:',
    ...rows.map((cells) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`),
    ...notes(foretold, database !== null).map((note) => `  ${note}`),
    ...(instances >= 2 && instances < FEW_INSTANCES ? [`  more instances show smaller ones: ${few}`] : []),
  ].join('\n');
}

/** One for each metric and limit: its cases, and the least change that is called in any and in all of them. */
function questionRows(questions: readonly ForetoldQuestion[]): string[][] {
  const rows = new Map<string, ForetoldQuestion[]>();
  for (const question of questions) {
    const row = `${question.metric.name} ${JSON.stringify(question.limit)}`;
    rows.set(row, [...(rows.get(row) ?? []), question]);
  }
  const place = (own: ForetoldQuestion[]) => metrics.indexOf(own[0]!.metric);
  const ordered = [...rows.values()].sort((one, other) => place(one) - place(other));
  return ordered.map((own) => {
    const { metric, limit } = own[0]!;
    const together = own[0]!.together;
    const generators = [...new Set(own.map((question) => question.case.generator))].sort();
    return [
      metric.name,
      together === null
        ? `${counted(own.length, 'case')} of ${generators.join(' and ')}`
        : `${together} cases together`,
      `limit ${limitWords(metric, limit)}`,
      calledFrom(own),
    ];
  });
}

/** Two instances make figures up to a millionfold; they all say that next to nothing will be seen. */
const MOST_TOLD = 10;

function calledFrom(own: readonly ForetoldQuestion[]): string {
  const { metric, threshold } = own[0]!;
  const known = own.flatMap((question) => changeBeyond(question) ?? []).sort((one, other) => one - other);
  if (known.length === 0) return 'not known';
  const sign = metric.better === 'lower' ? 1 : -1;
  const ends = [known[0]!, known.at(-1)!];
  const figure = (change: number) => (threshold === null ? percent(change) : signedPercent(sign * change));
  const texts = new Set(ends.map((change) => (change > MOST_TOLD ? `more than ${figure(MOST_TOLD)}` : figure(change))));
  return `called from ${[...texts].join(' to ')}${threshold === null ? ' beyond it' : ''} on`;
}

function notes({ questions, pairing, instances }: Foretelling, hasDatabase: boolean): string[] {
  if (instances < 2) return [];
  const names = new Set(questions.map(({ metric }) => metric.name));
  const unknown = new Set(questions.flatMap(({ metric, deviation }) => (deviation === null ? [metric.name] : [])));
  const said = questions.flatMap(({ metric, note }) => (note === null ? [] : [`${metric.name}: ${note}`]));
  return [
    ...new Set(said),
    ...(pairing === 'duet' && names.has('throughput')
      ? ['throughput: where both sides fill the CPU; elsewhere from slices in turn, which show only far larger ones']
      : []),
    ...(hasDatabase && names.has('cpu-per-request')
      ? ['cpu-per-request: as of endpoints that ask the database; others show smaller changes']
      : []),
    ...[...unknown].map((name) => `${name}: how it scatters was not recorded`),
  ];
}

/** `+3 %`, `-5 %`, `0`, `+2.00 ms`. */
function limitWords(metric: ForetoldQuestion['metric'], limit: Limit): string {
  if (limit.value === 0) return '0';
  if (limit.kind === 'absolute') return limitText(metric, limit);
  return `${metric.better === 'lower' ? '+' : '-'}${Number((limit.value * 100).toPrecision(6))} %`;
}
