import path from 'node:path';
import type { RunResult } from '../app/run/run.ts';
import type { RunOptions } from '../app/run/run-options.ts';
import { hasLevelLimits, keepsLimits } from '../core/comparison/absolute-limits.ts';
import type { AcceptedEntry, GateEntry } from '../core/comparison/comparison.ts';
import { visible } from '../core/format/text.ts';
import type { Reason } from '../core/measurement/names.ts';
import type { CaseRecord } from '../core/record/run-record.ts';
import { warningLines } from '../core/report/comparison/text.ts';
import { terminalParts } from '../core/report/terminal.ts';
import type { Style } from '../core/report/terminal-style.ts';
import { isBeyondService } from '../core/validity/beyond-service.ts';
import { wasNotLoaded } from '../core/validity/not-loadable.ts';
import { EXIT } from './failure.ts';
import { outputColors, outputWidth } from './terminal.ts';

export type ShownResult = Pick<RunResult, 'record' | 'comparison' | 'limits'>;

/** The tables of a run, what they were compared with, and where the reports are. */
export function summary({ record, comparison, limits }: ShownResult, out: string): string {
  const surroundings = { width: outputWidth(), style: outputColors() };
  const parts = [
    ...terminalParts(record, comparison, surroundings),
    ...warnings(limits.warnings, surroundings),
    ...limitLines('Beyond its limit', limits.broken),
    ...limitLines('Accepted', limits.accepted.map(acceptedSaid)),
    ...limitLines('Limits that could not be judged', limits.unjudged),
    `Report: ${path.join(out, 'report.html')}`,
  ];
  return `\n${parts.join('\n\n')}\n`;
}

function warnings(all: readonly Reason[], { width, style }: { width: number; style: Style }): string[] {
  return all.length === 0 ? [] : [warningLines(all, width, style).join('\n')];
}

function limitLines(title: string, entries: readonly GateEntry[]): string[] {
  return entries.length === 0
    ? []
    : [[`${title}:`, ...entries.map(({ caseKey, message }) => `  ${visible(`${caseKey}: ${message}`)}`)].join('\n')];
}

function acceptedSaid({ reason, message, ...entry }: AcceptedEntry): GateEntry {
  return { ...entry, message: `${message} (${reason})` };
}

/** What `run` ends with, for what it measured. */
export function exitStatusOf(
  { record, comparison, limits, selection }: Pick<RunResult, 'record' | 'comparison' | 'limits' | 'selection'>,
  { failOnInconclusive }: Pick<RunOptions, 'failOnInconclusive'>,
  signal: AbortSignal,
): number {
  if (signal.aborted) return EXIT.interrupted;
  if (record.interrupted !== null) return EXIT.machineLacks;
  if (comparison?.skipped) return EXIT.done;
  const { cases, unpaired } = record;
  const isMeasured = (each: CaseRecord) =>
    each.variant === 'candidate' && each.metrics.throughput !== undefined && !isBeyondService(each);
  if (!cases.some(isMeasured)) {
    return EXIT.nothingMeasured;
  }
  // A quick look without limits gates nothing: what the machine cannot load is told, and does not fail it.
  const isLook = selection.quick && !hasLevelLimits(record.spec.gate);
  const isWell = (each: CaseRecord) =>
    each.status === 'valid' || isBeyondService(each) || (isLook && wasNotLoaded(each));
  const passed =
    comparison === null
      ? unpaired?.failed !== true && cases.every(isWell) && keepsLimits(limits, failOnInconclusive)
      : comparison.gate.passed;
  return passed ? EXIT.done : EXIT.gateFailed;
}
