import type { Showing } from './contest.ts';
import type { Coverage } from './coverage.ts';
import type { DetectableAndFound } from './detectable-and-found.ts';
import type { FalseAnswers } from './false-reds.ts';
import type { Line } from './lines.ts';
import type { SideBias } from './side-bias.ts';
import type { Detection } from './single-case.ts';
import type { Source } from './source.ts';

/** What a recording or a model of noise shows of the decision. */
export interface SourceResult {
  source: Source;
  falseAnswers: { situation: string; atBudgets: FalseAnswers[] }[];
  coverage: Coverage[];
  /** Null of a model, which has none. */
  bias: SideBias | null;
  /** A case on its own. */
  single: Detection[];
  contest: Showing[];
  /** Changes as people make them, at default limits. */
  lines: Line[];
  /** What a run says that another one would find. */
  detectable: DetectableAndFound[];
}
