import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Inline } from '../document.ts';
import { clippedLine } from './clipped-text.ts';
import { headline } from './headline.ts';

/** What many small steps come to since a release: one line, without the mark of a verdict, since no gate rests on it. */
export function anchorLine(anchor: Comparison, record: RunRecord): Inline {
  const { text } = headline(anchor, record);
  return [{ strong: 'Since the anchor' }, `, ${clippedLine(anchor.baseline.origin)} (does not gate): `, text];
}
