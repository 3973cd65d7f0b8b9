import type { Comparison, GateEntry, MetricComparison } from '../../comparison/comparison.ts';
import { counted, span } from '../../format/figures.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../../statistics/interim-analyses.ts';
import type { Inline } from '../document.ts';
import { judgedIn, metricOf } from './endpoint-groups.ts';
import { roundsOf } from './judged-figures.ts';
import { inReportOrder, shortName } from './metric-words.ts';
import { type ComparisonTally, placesText } from './tally.ts';

const BUDGET: Inline = { code: 'gate.budget' };

/** `Not measured: 4 endpoints. 1 round in 45 s shows nothing: set gate.budget to 6m or more`. */
export function notMeasuredText(comparison: Comparison, tally: ComparisonTally, record: RunRecord): Inline {
  const { notMeasured, endpoints } = tally;
  const isAll = notMeasured.endpoints === endpoints;
  const places = isAll ? counted(endpoints, 'endpoint') : placesText(notMeasured, tally);
  // Of a service as a whole it is its memory.
  const what = places === '' ? metricNames(comparison) : places;
  return [`Not measured: ${what}. `, ...why(comparison, record)];
}

function why(comparison: Comparison, record: RunRecord): Inline[] {
  const rounds = measuredRounds(comparison);
  if (rounds >= FIRST_ANALYSIS_ROUNDS) {
    const names = metricNames(comparison);
    const shows = `${counted(rounds, 'round')} would not show ten times the limit of ${names}`;
    return [`${shows}: set `, BUDGET, ' higher, or raise that limit'];
  }
  const minutes = minutesNeeded(rounds, record);
  const seconds = record.timing.comparingSeconds ?? null;
  const time = seconds === null || rounds === 0 ? '' : ` in ${span(seconds)}`;
  const shows =
    rounds === 0
      ? 'No round was measured'
      : `${counted(rounds, 'round')}${time} ${rounds === 1 ? 'shows' : 'show'} nothing`;
  return [`${shows}: set `, BUDGET, minutes === null ? ' higher' : ` to ${minutes}m or more`];
}

/** Which line of the spec to change, in one sentence; null where all was measured. */
export function notMeasuredAdvice(comparison: Comparison, record: RunRecord): Inline | null {
  if (comparison.gate.notMeasured.length === 0) return null;
  const rounds = measuredRounds(comparison);
  if (rounds >= FIRST_ANALYSIS_ROUNDS) {
    return ['Set ', BUDGET, ` higher, or raise the limit of ${metricNames(comparison)}.`];
  }
  const were = rounds === 1 ? 'was' : 'were';
  const minutes = minutesNeeded(rounds, record);
  const take = minutes === null ? '' : `; all of them take about ${minutes} min here`;
  return [
    BUDGET,
    ` is too short: ${rounds} of the ${FIRST_ANALYSIS_ROUNDS} rounds that a verdict takes ${were} measured${take}.`,
  ];
}

/** Of what was not measured; of all where nothing of it was. */
function measuredRounds(comparison: Comparison): number {
  const own = entriesCompared(comparison).map(({ compared }) => compared.evidence.rounds);
  const most = Math.max(0, ...own);
  return most === 0 ? (roundsOf(comparison)?.[1] ?? 0) : most;
}

/** Of a budget in which as many rounds find room as a verdict takes; null where it is not known, or not what was short. */
function minutesNeeded(rounds: number, record: RunRecord): number | null {
  if (record.comparing === undefined || record.timing.comparingSeconds === undefined || rounds === 0) return null;
  const { comparingSeconds } = record.timing;
  const minutes = Math.ceil(((comparingSeconds / rounds) * FIRST_ANALYSIS_ROUNDS) / 60);
  return minutes * 60 > (record.comparing.gate.budgetSeconds ?? 0) ? minutes : null;
}

function metricNames(comparison: Comparison): string {
  const names = inReportOrder(entriesCompared(comparison).map(({ metric }) => metric));
  return names.map(shortName).join(', ');
}

function entriesCompared(comparison: Comparison): { metric: string; compared: MetricComparison }[] {
  const byKey = new Map(judgedIn(comparison).map((each) => [each.key, each]));
  return comparison.gate.notMeasured.flatMap(({ caseKey, metric }: GateEntry) => {
    const each = byKey.get(caseKey);
    const compared = each === undefined || metric === null ? null : metricOf(each, metric);
    return compared === null ? [] : [{ metric: metric!, compared }];
  });
}
