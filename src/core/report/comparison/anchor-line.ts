import { anchorName } from '../../baseline/anchor-name.ts';
import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Inline } from '../document.ts';
import { clippedLine, clippedText } from './clipped-text.ts';
import { headline } from './headline.ts';

/** What many small steps come to since a release: one line, without the mark of a verdict, since no gate rests on it. */
export function anchorLine(anchor: Comparison, record: RunRecord): Inline {
  const { text } = headline(anchor, record);
  const { origin } = anchor.baseline;
  const name = anchorName(record);
  // A commit is had by its hash, and known by its tag.
  const known = name === null || origin.includes(name) ? '' : ` ${clippedText(name, 60)}`;
  return [{ strong: 'Since the anchor' }, `${known}, ${clippedLine(origin)} (does not gate): `, text];
}
