import { FIRST_LOOK } from '../../../core/comparison/looks.ts';
import { needsSoloPairs, undecidedCases } from '../../../core/comparison/undecided.ts';
import type { Case } from '../../../core/plan/case.ts';
import { runRecordOf } from '../../../core/record/assembly.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { CaseRecord } from '../../../core/record/run-record.ts';
import { PASSING } from '../../../core/validity/set-aside.ts';
import type { Clock } from '../../ports/machine.ts';

/** What the journal decides so far, asked after each instance. */
export interface Decisions {
  /** `instances`: number of the last one of the service that is measured. */
  of(service: string, instances: number): Decided;
}

/** All are case keys. */
export interface Decided {
  undecided: ReadonlySet<string>;
  /** Whose duets tell too little of a gated metric, so that they want interleaved slices as well. */
  aloneToo: ReadonlySet<string>;
  /** Nothing more can be learnt of them. */
  invalid: ReadonlySet<string>;
}

/** One round alone does not tell how the sides share a CPU: a trial's share scatters by half a point. */
const ROUNDS_OF_SHARES = 3;

/** `cases` are all that the run measures. */
export function decisionsOf(
  entries: () => readonly JournalEntry[],
  cases: readonly Case[],
  clock: Pick<Clock, 'now'>,
): Decisions {
  return {
    of(service, instances) {
      const own = cases.filter((each) => each.service.name === service);
      const { comparing, ...record } = runRecordOf(entries(), own, clock.now().toISOString());
      if (comparing === undefined) throw new Error('the journal is of a run without a baseline');
      const compared = { ...record, comparing };
      const spoilt = record.cases.filter(({ status }) => status === 'invalid');
      const invalid = spoilt.filter((each) => isLost(each, instances));
      const undecided =
        instances === 0
          ? own
          : [...undecidedCases(compared, { rounds: instances, final: false })].map((key) => ({ key })).concat(spoilt);
      return {
        undecided: new Set(undecided.map(({ key }) => key)),
        aloneToo: instances < ROUNDS_OF_SHARES ? new Set() : needsSoloPairs(compared),
        invalid: new Set(invalid.map(({ key }) => key)),
      };
    },
  };
}

/** A case that only the machine spoilt so far may yet turn out well: exceptions are told by how few they are. */
function isLost({ status, reasons }: CaseRecord, instances: number): boolean {
  if (status === 'valid') return false;
  return instances >= FIRST_LOOK || reasons.some(({ code }) => !PASSING.has(code));
}
