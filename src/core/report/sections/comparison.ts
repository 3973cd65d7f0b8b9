import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { comparisonBlocks, everything } from '../comparison/blocks.ts';
import type { Section } from '../document.ts';

/** Candidate against baseline, before all else: what changed, how sure that is, and how it was measured. */
export function comparisonSection(comparison: Comparison, record: RunRecord): Section {
  return { id: 'comparison', title: 'Comparison', blocks: comparisonBlocks(comparison, record, everything) };
}
