import type * as z from 'zod';
import type { Known } from '../record/document.ts';
import type { comparisonSchema } from './schema.ts';

/** `comparison.json`: baseline against candidate, per case and metric. */
export type Comparison = Known<z.infer<typeof comparisonSchema>>;
export type ComparisonMode = Comparison['mode'];
export type ComparedSide = Comparison['baseline'];
export type CaseComparison = Comparison['cases'][number];
export type MetricComparison = CaseComparison['metrics'][string];
export type Verdict = NonNullable<MetricComparison['verdict']>;
export type Evidence = MetricComparison['evidence'];
export type Explanation = NonNullable<CaseComparison['explanation']>;
export type StatementChange = Explanation['statements'][number];
export type GateResult = Comparison['gate'];
export type GateEntry = GateResult['regressions'][number];
/** Where the history went to another level. */
export type StoredChangePoint = NonNullable<Comparison['changePoints']>[number];
/** The same candidate against a fixed release. */
export type AnchorComparison = NonNullable<Comparison['anchor']>;
/** What became of a change since the anchor. */
export type SinceAnchor = NonNullable<AnchorComparison['since']>[number];
export type AcceptedEntry = GateResult['accepted'][number];

/** A regression that somebody accepts: not a failure, and what is expected from then on. */
export interface Acceptance {
  /** Glob over case key, service or path, as under `gate.cases`. */
  cases: string;
  /** Null for every metric of them. */
  metric: string | null;
  reason: string;
}
