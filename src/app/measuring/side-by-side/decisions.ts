import { decidedSoFar, needsSoloPairs } from '../../../core/comparison/undecided.ts';
import type { Case } from '../../../core/config/case.ts';
import { runRecordOf } from '../../../core/record/assembly.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { CaseRecord } from '../../../core/record/run-record.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../../../core/statistics/interim-analyses.ts';
import { NO_ANSWER, PASSING } from '../../../core/validity/set-aside.ts';
import type { Clock } from '../../ports/machine.ts';

/** What the journal decides so far, asked after each round. */
export interface Decisions {
  /** `rounds`: number of the last one of the service that is measured. */
  of(service: string, rounds: number): Decided;
}

/** All are case keys. */
export interface Decided {
  undecided: ReadonlySet<string>;
  /** Of which a count varies by itself: each round counts them again. */
  recounted: ReadonlySet<string>;
  /** Whose duets tell too little of a gated metric, so that they want interleaved trials as well. */
  soloToo: ReadonlySet<string>;
  /** Nothing more can be learnt of them. */
  invalid: ReadonlySet<string>;
  /** Something of the service is a regression already. */
  isRed: boolean;
  /** Rounds scatter so little that more of them are not needed to see twice each limit. */
  seesTwiceEachLimit: boolean;
}

/**
 * One round alone does not tell how the sides share a CPU: a trial's share scatters by half a point, and of 124 cases that shared it evenly
 * 23 looked as if they did not; after two rounds 6 did, after three none. Of trials in turn that begin with the third round there are
 * enough (`LEAST_VALUES`) at the first look.
 */
const ROUNDS_OF_SHARES = 2;

/** `cases` are all that the run measures. */
export function decisionsOf(
  entries: () => readonly JournalEntry[],
  cases: readonly Case[],
  clock: Pick<Clock, 'now'>,
): Decisions {
  return {
    of(service, rounds) {
      const own = cases.filter((each) => each.service.name === service);
      const { comparing, ...record } = runRecordOf(entries(), own, clock.now().toISOString());
      if (comparing === undefined) throw new Error('the journal is of a run without a baseline');
      const compared = { ...record, comparing };
      const spoilt = record.cases.filter(({ status }) => status !== 'valid');
      const invalid = spoilt.filter((each) => isLost(each, rounds, spoilt));
      const soFar = rounds === 0 ? null : decidedSoFar(compared, { rounds, final: false });
      const undecided = soFar === null ? own : [...soFar.undecided].map((key) => ({ key })).concat(spoilt);
      return {
        undecided: new Set(undecided.map(({ key }) => key)),
        recounted: soFar?.recounted ?? new Set(),
        soloToo: rounds < ROUNDS_OF_SHARES ? new Set() : needsSoloPairs(compared),
        invalid: new Set(invalid.map(({ key }) => key)),
        isRed: soFar?.isRed ?? false,
        seesTwiceEachLimit: soFar?.seesTwiceEachLimit ?? false,
      };
    },
  };
}

/** A case that only the machine spoilt so far may yet turn out well: exceptions are told by how few they are. */
function isLost(each: CaseRecord, rounds: number, spoilt: readonly CaseRecord[]): boolean {
  if (each.status === 'valid') return false;
  if (each.status === 'beyond') return true;
  const isSilentOnBothSides = spoilt.filter(({ key }) => key === each.key).filter(isSilent).length === 2;
  const passes = (code: string) => PASSING.has(code) || (code === NO_ANSWER && isSilentOnBothSides);
  return rounds >= FIRST_ANALYSIS_ROUNDS || !each.reasons.every(({ code }) => passes(code));
}

function isSilent({ reasons }: CaseRecord): boolean {
  return reasons.some(({ code }) => code === NO_ANSWER);
}
