import { DATA_DIFFER } from '../baseline/data-difference.ts';
import { grouped } from '../format/figures.ts';
import type { Reason } from '../measurement/names.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { Acceptance } from './comparison.ts';

/** How many rows both sides' databases hold. */
interface Rows {
  baseline: number;
  candidate: number;
}

/** A candidate with less than this share of the baseline's rows has another workload. */
const LEAST_SHARE = 0.5;

/** The warning that data differ, with how many rows both sides hold where that is known. */
export function withDataRows(warnings: readonly Reason[], record: Pick<RunRecord, 'services'>): Reason[] {
  return warnings.map((warning) => {
    if (warning.code !== DATA_DIFFER) return warning;
    const rows = rowsOf(record);
    return rows === null ? warning : { ...warning, message: `${warning.message} ${rowsSentence(rows)}` };
  });
}

/**
 * Why the comparison as a whole is invalid: with much less data nearly everything is faster, a slower service as well. Null where data
 * are the same or about as many, and where somebody accepts it by the name of the warning: `*` means what was measured.
 */
export function lessData(
  warnings: readonly Reason[],
  record: Pick<RunRecord, 'services'>,
  accepted: readonly Acceptance[],
): string | null {
  const rows = rowsOf(record);
  if (rows === null || warnings.every(({ code }) => code !== DATA_DIFFER)) return null;
  if (rows.candidate >= rows.baseline * LEAST_SHARE) return null;
  if (accepted.some(({ cases, metric }) => cases === DATA_DIFFER && metric === null)) return null;
  return (
    `The candidate loads much less data than the baseline, and what is faster by that is no improvement. ${rowsSentence(rows)} ` +
    `Load as much, or accept it by the name ${DATA_DIFFER}.`
  );
}

/** Of several services, each with a database of its own, the one whose candidate has the least of its baseline's. */
function rowsOf({ services }: Pick<RunRecord, 'services'>): Rows | null {
  const all = services.flatMap(({ service, variant, rows: baseline }): Rows[] => {
    if (variant !== 'baseline' || baseline === undefined) return [];
    const other = services.find((each) => each.service === service && each.variant === 'candidate');
    return other?.rows === undefined ? [] : [{ baseline, candidate: other.rows }];
  });
  const share = ({ baseline, candidate }: Rows) => candidate / Math.max(1, baseline);
  return all.toSorted((one, other) => share(one) - share(other))[0] ?? null;
}

function rowsSentence({ baseline, candidate }: Rows): string {
  return `The baseline's database holds ${rowsText(baseline)}, the candidate's ${rowsText(candidate)}.`;
}

function rowsText(rows: number): string {
  return `${grouped(rows)} row${rows === 1 ? '' : 's'}`;
}
