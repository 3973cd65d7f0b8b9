import type { Placement } from '../../../core/config/resolved.ts';
import type { PlannedService } from '../../../core/plan/plan.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { Decisions } from './decisions.ts';
import type { OfEach, Side } from './sides.ts';

/** What is asked of the comparison of one service. */
export interface SideBySideRequest {
  runId: string;
  seed: number;
  placement: Placement;
  planned: PlannedService;
  sides: OfEach<Side>;
  mode: 'duet' | 'interleaved';
  /** Published figures are of short trials: only the change is of interest. */
  isShort: boolean;
  /** Seconds of wall clock for comparing this service, less what a resumed run has spent before. */
  budgetSeconds: number;
  /** What may come on top of it until there are as many rounds as a verdict takes. */
  extraSeconds: number;
  /** Rounds that the budget was made for. */
  expectedRounds: number;
  /** As `budgetSeconds`, until there are `expectedRounds` and they see what the budget was made for (`mostSecondsAfter`). */
  longestSeconds: number;
  /** Of comparing, less what a resumed run has spent, after which a red service is measured no longer; `Infinity` for none. */
  redSeconds: number;
  decisions: Decisions;
  /** Everything in the journal so far. */
  entries(): readonly JournalEntry[];
  /** What the run has spent so far on preparing data, which is no comparing; absent for none. */
  preparingNs?(): number;
}
