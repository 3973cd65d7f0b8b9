import type { Comparison } from '../comparison/comparison.ts';
import { ownedSentence } from '../format/owner.ts';
import type { RunRecord } from '../record/run-record.ts';
import { clippedLine } from '../report/comparison/clipped-text.ts';
import { decidingLine, isExplained, reasonInShort } from '../report/comparison/deciding-line.ts';
import { unpairedSaid } from '../report/unpaired.ts';
import { ALL_BEYOND, isBeyondService } from '../validity/beyond-service.ts';

/** Why a run is invalid: that it broke off, a service that failed, the first case that is invalid. Null where nothing of it is. */
export function causeOf(record: RunRecord, comparison: Comparison | null): string | null {
  const { interrupted, services } = record;
  if (interrupted !== null) return `the run ended early: ${clippedLine(interrupted.message)}`;
  if (comparison !== null) {
    const [first] = comparison.gate.invalid;
    return first === undefined ? null : reasonInShort(first.message);
  }
  const failed = services.find(({ failure, absent }) => failure !== null && absent !== true);
  if (failed !== undefined) return ofService(failed.service, failed.failure!.message);
  const invalid = record.cases.find(({ status }) => status === 'invalid');
  if (invalid !== undefined) return ofService(invalid.service, invalid.reasons[0]?.message ?? 'no reason was recorded');
  if (record.cases.length > 0 && record.cases.every(isBeyondService)) return ALL_BEYOND;
  const unpaired = unpairedSaid(record);
  const [why] = unpaired?.failed === true ? unpaired.warnings : [];
  return why === undefined ? null : reasonInShort(why);
}

/** Its sentence may name the service already. */
function ofService(service: string, message: string): string {
  return isExplained(message) ? reasonInShort(message) : ownedSentence(service, decidingLine(message));
}
