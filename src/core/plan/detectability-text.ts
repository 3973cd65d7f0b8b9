import { limitText } from '../comparison/sentences.ts';
import type { Limit, ResolvedSpec } from '../config/resolved.ts';
import { counted } from '../format/figures.ts';
import { percent, signedPercent } from '../format/percent.ts';
import { metrics } from '../metrics/registry.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../statistics/interim-analyses.ts';
import { type NeededBudget, neededBudget } from './budget.ts';
import { type Detectability, type DetectableUnit, isCompared } from './detectability.ts';
import { changeBeyond } from './detectable-change.ts';
import { AUTO_BUDGET_SECONDS, MOST_SECONDS_TO_VERDICT } from './duets.ts';
import { durationText } from './duration-text.ts';
import { NOISE_PROFILE_SOURCE } from './noise-profile.ts';
import type { Plan } from './plan.ts';
import { pullRequestSeconds } from './pull-request-time.ts';
import { isCostUnjudged, UNJUDGED_COST } from './unjudged-warning.ts';

/** What comparing takes and shows, for a person; empty where nothing is compared. Services with the same prospects share a part. */
export function detectabilityText(
  spec: ResolvedSpec,
  plan: Pick<Plan, 'services'>,
  found: readonly Detectability[],
): string {
  const { baseline } = spec.gate;
  if (!isCompared(spec, found)) return '';
  if (baseline === 'stored') {
    return '\nComparing with stored numbers takes no time; what it can show depends on how past runs scattered.\n';
  }
  const cases = plan.services.flatMap((planned) => planned.cases);
  const parts = new Map<string, string[]>();
  for (const one of found) {
    const text = partText(one);
    parts.set(text, [...(parts.get(text) ?? []), one.service]);
  }
  return [
    `\n${budgetLine(spec, plan, found)}\n`,
    ...[...parts].map(([text, services]) => `\n${services.join(', ')}, ${text}\n`),
    isCostUnjudged(spec, cases) ? `\nWarning: ${UNJUDGED_COST}\n` : '',
    `\nExpected from ${NOISE_PROFILE_SOURCE}. Noisier machines and services detect less.\n`,
  ].join('');
}

function budgetLine(spec: ResolvedSpec, plan: Pick<Plan, 'services'>, found: readonly Detectability[]): string {
  const seconds = found.reduce((sum, each) => sum + each.budgetSeconds, 0);
  const needed = neededBudget(spec, plan);
  const chosen = spec.gate.budgetSeconds === null ? ` (\`gate.budget: auto\`${longer(found, seconds)})` : '';
  const each = found.length === 1 ? '' : `, ${durationText(found[0]!.budgetSeconds)} for each service`;
  const wait = `A pull request waits about ${durationText(pullRequestSeconds(spec, plan, seconds))} in all, without building images${spec.prepare === undefined ? '' : ' and preparing data'}`;
  return `Comparing with a baseline takes up to ${durationText(seconds)}${each}${chosen}. ${wait}.${shortfall(seconds, needed)}`;
}

/** Rounds beyond the first look that a machine may be slower by than the recorded one. */
const SPARE_ROUNDS = 2;

/** What `auto` may take beyond what it is: for the rounds that a verdict takes, where these barely fit into it, and for its own rounds. */
function longer(found: readonly Detectability[], seconds: number): string {
  const isClose = found.some(({ rounds }) => rounds < FIRST_ANALYSIS_ROUNDS + SPARE_ROUNDS);
  if (isClose)
    return `; up to ${durationText(MOST_SECONDS_TO_VERDICT)} where ${FIRST_ANALYSIS_ROUNDS} rounds take longer`;
  const { most } = AUTO_BUDGET_SECONDS;
  const isLess = seconds < most && durationText(seconds) !== durationText(most);
  return isLess ? `; up to ${durationText(most)} where its rounds take longer or are noisier` : '';
}

/** What the budget lacks to see each limit twice over. */
function shortfall(seconds: number, needed: NeededBudget): string {
  if (!needed.isEnough) return ' No budget is enough to see twice each limit: raise the limits that take more.';
  if (needed.seconds <= seconds) return '';
  const enough = durationText(needed.seconds);
  return seconds >= AUTO_BUDGET_SECONDS.most
    ? ` To see twice each limit takes ${enough}: compare fewer endpoints, or raise the limits that it cannot see.`
    : ` To see twice each limit takes ${enough}: set \`gate.budget: ${Math.ceil(needed.seconds / 60)}m\`.`;
}

function partText(found: Detectability): string {
  const { pairing, round, rounds, units, exact } = found;
  const pairs =
    pairing === 'duet' ? `${counted(round.pairsEach, 'trial')} of both sides` : 'one trial of each side in turn';
  const isEnough = rounds >= FIRST_ANALYSIS_ROUNDS;
  const rows = [
    ...(isEnough ? unitRows(units) : []),
    ...exact.map(({ metric, limit }) => [metric.name, 'without load', `limit ${limitWords(metric, limit)}`, 'exactly']),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((cells) => cells[column]!.length)));
  return [
    `about ${counted(rounds, 'round')} of ${durationText(round.seconds)}, ${pairs} per case in each; ${isEnough ? 'it detects 9 in 10 changes:' : `fewer than ${FIRST_ANALYSIS_ROUNDS} rounds detect nothing but exact differences, and the gate does not pass`}`,
    ...rows.map((cells) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`),
    ...(isEnough ? notes(found) : []).map((note) => `  ${note}`),
  ].join('\n');
}

const LEVELS = ['service', 'endpoint', 'case'] as const;

/** One for each metric, level and limit, with the least change that is detected in any and in all of them. */
function unitRows(units: readonly DetectableUnit[]): string[][] {
  const rows = new Map<string, DetectableUnit[]>();
  for (const unit of units) {
    const row = `${unit.metric.name} ${unit.level} ${JSON.stringify(unit.limit)}`;
    rows.set(row, [...(rows.get(row) ?? []), unit]);
  }
  const place = ([first]: DetectableUnit[]) => metrics.indexOf(first!.metric) * 3 + LEVELS.indexOf(first!.level);
  return [...rows.values()]
    .sort((one, other) => place(one) - place(other))
    .map((own) => {
      const { metric, limit, level, cases } = own[0]!;
      const endpoints = new Set(cases.map(({ endpoint }) => endpoint.name)).size;
      const what = {
        service: metric.ofProcess ? 'the service' : `${endpoints} endpoints together`,
        endpoint: own.length === 1 ? 'the endpoint' : 'each endpoint',
        case: own.length === 1 ? 'the case' : 'each case',
      };
      return [metric.name, what[level], `limit ${limitWords(metric, limit)}`, detectedFrom(own)];
    });
}

/** Few rounds make figures up to a millionfold; they all say that next to nothing will be seen. */
const MOST_SHOWN = 10;

function detectedFrom(own: readonly DetectableUnit[]): string {
  const { metric, threshold } = own[0]!;
  const known = own.flatMap((unit) => changeBeyond(unit) ?? []).sort((one, other) => one - other);
  if (known.length === 0) return own.every(({ deviation }) => deviation === null) ? 'not known' : 'no change';
  const sign = metric.better === 'lower' ? 1 : -1;
  const figure = (change: number) => (threshold === null ? percent(change) : signedPercent(sign * change));
  const text = (change: number) => (change > MOST_SHOWN ? `more than ${figure(MOST_SHOWN)}` : figure(change));
  const ends = [...new Set([known[0]!, known.at(-1)!].map(text))];
  return `from ${ends.join(' to ')}${threshold === null ? ' beyond it' : ''}`;
}

function notes({ units, pairing }: Detectability): string[] {
  const judged = [...new Set(units.map(({ metric }) => metric))];
  const unknown = new Set(units.flatMap(({ metric, deviation }) => (deviation === null ? [metric.name] : [])));
  const said = units.flatMap(({ metric, note }) => (note === null ? [] : [`${metric.name}: ${note}`]));
  return [
    ...new Set(said),
    ...judged.flatMap(({ name, inDuets }) =>
      pairing === 'duet' && inDuets === 'where both compete'
        ? [
            `${name}: where both sides fill the CPU; elsewhere from trials in turn, which detect only far larger changes`,
          ]
        : [],
    ),
    ...[...unknown].map((name) => `${name}: how it scatters was not recorded`),
  ];
}

/** `+3 %`, `-5 %`, `0`, `+2.00 ms`. */
function limitWords(metric: DetectableUnit['metric'], limit: Limit): string {
  if (limit.value === 0) return '0';
  if (limit.kind === 'absolute') return limitText(metric, limit);
  return `${metric.better === 'lower' ? '+' : '-'}${Number((limit.value * 100).toPrecision(6))} %`;
}
