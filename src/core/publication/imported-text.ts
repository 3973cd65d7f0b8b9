import { counted } from '../format/figures.ts';
import type { BenchmarkData } from './benchmark-data.ts';
import type { ImportedPages } from './imported-pages.ts';

export interface ImportedWhere {
  file: string;
  spec: string;
  place: string;
  /** Null where nothing was new. */
  commit: string | null;
}

/** What an import has come to, for a terminal. */
export function importedText(
  data: BenchmarkData,
  { added, known, leftOut }: Omit<ImportedPages, 'files'>,
  { file, spec, place, commit }: ImportedWhere,
): string {
  const lost = leftOut === 0 ? '' : ` Left out: ${counted(leftOut, 'figure')} without a number or a name of its own.`;
  if (commit !== null) {
    const there = known === 0 ? '' : ` (${known === 1 ? '1 was' : `${known} were`} there already)`;
    return `${counted(added, 'run')} ${added === 1 ? 'is' : 'are'} added to ${spec} on ${place}${there}${commit === place ? '' : `: ${commit}`}.${lost}`;
  }
  if (known > 0) {
    return `Nothing is new: ${counted(known, 'run')} of it ${known === 1 ? 'is' : 'are'} in ${spec} on ${place} already.${lost}`;
  }
  const runs = Object.values(data.entries).reduce((sum, own) => sum + own.length, 0);
  return runs === 0
    ? `${file} has no entries, so nothing is added to ${spec} on ${place}: github-action-benchmark has stored no run in it yet.`
    : `${counted(runs, 'entry', 'entries')} of ${file} ${runs === 1 ? 'holds' : 'hold'} no figure that can be taken, so nothing is added to ${spec} on ${place}.${lost}`;
}
