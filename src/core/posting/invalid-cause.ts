import type { Comparison } from '../comparison/comparison.ts';
import type { RunRecord } from '../record/run-record.ts';
import { clippedLine } from '../report/comparison/clipped-text.ts';
import { unpairedSaid } from '../report/unpaired.ts';
import { decidingLine, ownerIn } from './deciding-line.ts';

/** Why a run is invalid: that it broke off, a service that failed, the first case that is invalid. Null where nothing of it is. */
export function causeOf(record: RunRecord, comparison: Comparison | null): string | null {
  const { interrupted, services } = record;
  if (interrupted !== null) return `the run ended early: ${clippedLine(interrupted.message)}`;
  if (comparison !== null) return firstLine(comparison.gate.invalid[0]?.message);
  const failed = services.find(({ failure }) => failure !== null);
  if (failed !== undefined) return `${failed.service}: ${decidingLine(failed.failure!.message)}`;
  const invalid = record.cases.find(({ status }) => status === 'invalid');
  if (invalid !== undefined)
    return `${invalid.service}: ${decidingLine(invalid.reasons[0]?.message ?? 'no reason was recorded')}`;
  const unpaired = unpairedSaid(record);
  return unpaired?.failed === true ? firstLine(unpaired.warnings[0]) : null;
}

/** Of what printed something, whose it is and the line that decides. */
function firstLine(message: string | undefined): string | null {
  if (message === undefined) return null;
  const owner = ownerIn(message);
  return message.includes('\n') && owner !== '' ? `${owner}: ${decidingLine(message)}` : clippedLine(message);
}
