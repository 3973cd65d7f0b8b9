import type { Showing } from './contest.ts';
import type { Coverage } from './coverage.ts';
import type { Detection } from './detection.ts';
import type { FalseAnswers } from './false-reds.ts';
import type { SideBias } from './side-bias.ts';
import type { Source } from './source.ts';

/** What a recording or a model of noise shows of the decision. */
export interface SourceResult {
  source: Source;
  falseAnswers: { situation: string; atBudgets: FalseAnswers[] }[];
  coverage: Coverage[];
  /** Null of a model, which has none. */
  bias: SideBias | null;
  /** A whole matrix, and a case on its own. */
  matrix: Detection[];
  single: Detection[];
  contest: Showing[];
}
