import { createHash } from 'node:crypto';
import type { Comparison } from '../core/comparison/comparison.ts';
import { readComparison, UnreadableComparison } from '../core/comparison/comparison-file.ts';
import { comparisonOf } from '../core/comparison/comparison-of.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import type { PageAssets } from '../core/report/html/index.ts';
import { reportFormat, reportFormats } from '../core/report/registry.ts';
import { UserError } from '../core/user-error.ts';

/** What a report is made with that is built, not written: the text of `wrkbench:report-page`. */
export interface ReportAssets {
  pageScript: string;
}

/** No report can be had in this format; the message names those that there are. */
export class UnknownFormat extends UserError {
  override name = 'UnknownFormat';
}

/** The record, and its comparison where it has one, in the format of that name. Throws `UnknownFormat`. A comparing record tells its own. */
export function renderReport(
  record: RunRecord,
  format: string,
  assets: ReportAssets,
  comparison: Comparison | null = storedComparison(record, null, ''),
): string {
  const found = reportFormat(format);
  if (found === null) {
    const names = reportFormats.map(({ name }) => name).join(', ');
    throw new UnknownFormat(`There is no report format "${format}"; there are ${names}.`);
  }
  return found.render(record, comparison, pageAssets(assets.pageScript));
}

/**
 * What a folder says of how the record compares: a record that holds both sides tells it itself; of one that was held
 * against stored numbers only `comparison.json` knows. `text` is that file's, null where there is none; one of another
 * run is none. Throws `UnreadableComparison`.
 */
export function storedComparison(record: RunRecord, text: string | null, where: string): Comparison | null {
  if (record.comparing !== undefined) return comparisonWithAnchor(record, text, where);
  if (text === null) return null;
  const comparison = readComparison(text, where);
  return comparison.candidate.id === record.id ? comparison : null;
}

/** What the record cannot know is kept: the anchor was measured by another run, and how strict the gate was is the call's. */
function comparisonWithAnchor(record: RunRecord, text: string | null, where: string): Comparison {
  const kept = text === null ? null : keptComparison(text, where);
  if (kept === null || kept.candidate.id !== record.id) return comparisonOf(record);
  const { passed, regressions, notMeasured, invalid, inconclusive } = kept.gate;
  const isWrong = regressions.length + notMeasured.length + invalid.length > 0;
  const failOnInconclusive = !passed && inconclusive.length > 0 && !isWrong;
  const again = comparisonOf(record, { failOnInconclusive });
  const ofAnchor = kept.warnings.filter(({ code }) => code === 'anchor-not-compared');
  const { anchor } = kept;
  return { ...again, warnings: [...again.warnings, ...ofAnchor], ...(anchor === undefined ? {} : { anchor }) };
}

/** The record tells the comparison without it. */
function keptComparison(text: string, where: string): Comparison | null {
  try {
    return readComparison(text, where);
  } catch (error) {
    if (error instanceof UnreadableComparison) return null;
    throw error;
  }
}

/** In a page, `</script` would end the script and `<!--` begin a comment, wherever in it they stand. */
function pageAssets(pageScript: string): PageAssets {
  const script = pageScript.replace(/<(?=\/script|!--)/gi, '\\x3c');
  return { script, scriptHash: `sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}` };
}
