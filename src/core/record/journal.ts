import type { SearchEntry } from '../capacity/search-entries.ts';
import type { Shard } from '../config/shard.ts';
import type { TrialMeasurement, UnloadedPass } from '../measurement/measurement.ts';
import type { Reason, Variant } from '../measurement/names.ts';
import type { ServiceObservation } from '../measurement/observation.ts';
import { UserError } from '../user-error.ts';
import type { Beyond } from '../validity/beyond-service.ts';
import type { RequestSetRecord, RunRecord, ServiceRecord } from './run-record.ts';

/** One line of `journal.jsonl`. The first is the header; the rest comes as it happens. */
export type JournalEntry =
  | ({ kind: 'header' } & JournalHeader)
  | ({ kind: 'service' } & ServiceRecord)
  | { kind: 'database'; version: string }
  /** What was seen of a service under load; of several the one with the most connections counts. */
  | ({ kind: 'observed'; service: string; variant: Variant } & ServiceObservation)
  | { kind: 'unexpected'; service: string; endpoint: string; route: 'direct' | 'gateway'; differences: string[] }
  /** What the requests of an endpoint came to that differ from each other. */
  | ({ kind: 'request-set'; service: string; variant: Variant } & RequestSetRecord)
  | ({ kind: 'pass' } & UnloadedPass)
  | { kind: 'load'; seconds: number }
  | ({ kind: 'trial' } & TrialMeasurement)
  /** Requests per second of a comparing run: of one side alone, and of each side of a duet. */
  | { kind: 'rate'; caseKey: string; solo: number; duet: number }
  /** A case that is more than its service answers in time. */
  | ({ kind: 'beyond'; caseKey: string; variant: Variant } & Beyond)
  /** Without a variant: the candidate's. */
  | { kind: 'lost'; caseKey: string; variant?: Variant; reason: Reason }
  /** Both variants were up, and are down again. */
  | { kind: 'round'; service: string; round: number; comparingSeconds: number }
  /** The same, where a variant could not be started or the run was interrupted meanwhile: what that took of the budget. */
  | { kind: 'broken-off'; service: string; round: number; comparingSeconds: number }
  /** Both sides are the same, and nothing was measured. */
  | { kind: 'skipped'; reason: Reason }
  | SearchEntry
  | { kind: 'end'; at: string; wallSeconds: number; preparingSeconds?: number; interrupted: Reason | null };

/** All of `run.json` that is known before the first trial. */
export type JournalHeader = Pick<
  RunRecord,
  'schemaVersion' | 'id' | 'startedAt' | 'tool' | 'source' | 'environment' | 'spec' | 'seed' | 'comparing' | 'unpaired'
> & {
  /** `--quick`, `--only` and `--shard`, so that a resumed run plans the same cases. */
  selection: {
    quick: boolean;
    only: string | null;
    /** The part of the cases that this machine measures; absent for all. */
    shard?: Shard;
    /** Phrase of its baseline, by the commit itself where it is one: its name may mean another one by then. */
    baseline?: string;
    /** Who wrote that phrase: a spec's own does not bind a pull request. */
    phraseFrom?: 'spec' | 'call';
    /** Fingerprint of the candidate's checkout, changes and all; absent where git knows nothing of it. */
    checkout?: string;
    /** Path → hash of each file that the candidate's spec names besides programs: SQL, scripts, the gateway's configuration. */
    files?: Record<string, string>;
  };
};

export class UnreadableJournal extends UserError {
  override name = 'UnreadableJournal';
}

export function journalLine(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/**
 * The entries of a journal. A last line without its end was cut off by what interrupted the run, and is left out; any
 * other line that does not parse is an `UnreadableJournal`.
 */
export function readJournal(text: string, fileName: string): JournalEntry[] {
  const lines = text.split('\n');
  lines.pop();
  const entries = lines.map((line, index) => {
    try {
      const entry = JSON.parse(line) as JournalEntry;
      if (typeof entry === 'object' && entry !== null && typeof entry.kind === 'string') return entry;
    } catch {}
    throw new UnreadableJournal(
      `${fileName}:${index + 1} is not a journal entry. Remove that line to resume with the rest, or start a new run in another folder.`,
    );
  });
  if (entries[0]?.kind !== 'header') {
    throw new UnreadableJournal(
      `${fileName} does not begin with a run's header, so there is nothing to resume. Start a new run in another folder.`,
    );
  }
  return entries;
}
