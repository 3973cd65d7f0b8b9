import { needsAlonePairs, undecidedCases } from '../../../core/comparison/undecided.ts';
import type { Case } from '../../../core/plan/case.ts';
import { runRecordOf } from '../../../core/record/assembly.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { CaseRecord } from '../../../core/record/run-record.ts';
import { PASSING } from '../../../core/validity/set-aside.ts';
import type { Clock } from '../../ports.ts';

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
      const invalid = new Set(record.cases.filter((each) => isLost(each, instances)).map(({ key }) => key));
      const undecided =
        instances === 0 ? new Set(own.map(({ key }) => key)) : undecidedCases(compared, { instances, final: false });
      return { undecided, aloneToo: instances === 0 ? new Set() : needsAlonePairs(compared), invalid };
    },
  };
}

/** Before its first duet a case may yet turn out well where only the machine spoilt its slice alone. */
function isLost({ status, reasons }: CaseRecord, instances: number): boolean {
  if (status === 'valid') return false;
  return instances > 0 || reasons.some(({ code }) => !PASSING.has(code));
}
