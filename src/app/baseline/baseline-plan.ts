import type { WorkflowFacts } from '../../core/baseline/commit.ts';
import type { BaselinePhrase } from '../../core/config/baseline-phrase.ts';
import type { Case } from '../../core/config/case.ts';
import type { GateRules, ResolvedSpec } from '../../core/config/resolved.ts';
import type { Selection } from '../../core/config/selection.ts';
import type { Runtime } from '../../core/doctor/runtime.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { RunRecord, SideOrigin } from '../../core/record/run-record.ts';
import type { BaselineFiles, ImageStore, RecordHistory } from '../ports/baselines.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { PreparedService } from '../ports/testbed.ts';

/** What the candidate is compared with. Every way says to the reader how it was had. */
export type BaselinePlan = BuiltBaseline | StoredBaseline | FirstMeasurement | { kind: 'none' };

/** Both sides up, side by side. */
export interface BuiltBaseline {
  kind: 'built';
  /** What is started; see `BaselineSide`. */
  spec: ResolvedSpec;
  /** Folder that its paths are relative to. */
  specDirectory: string;
  /** Limits in force. */
  gate: GateRules;
  /** Cases that the baseline has by its own spec, and the candidate has not. */
  missing: Case[];
  origin: SideOrigin;
  candidateOrigin: SideOrigin;
  /** Where the candidate's images are built; null where its own folder is the place. */
  candidateBuildDirectory: string | null;
  warnings: Reason[];
  /** Why there is nothing to measure, from what was prepared for each side; null where there is. */
  sameOnBothSides(baseline: readonly PreparedService[], candidate: readonly PreparedService[]): Promise<Reason | null>;
  /** The next way, where this one cannot be prepared for that reason; releases this one. Null where none is left. */
  fallback: ((why: string) => Promise<BaselinePlan>) | null;
  /** Removes what was checked out for it. Never rejects; safe to call twice. */
  release(): Promise<void>;
}

/** Only numbers. */
export interface StoredBaseline {
  kind: 'stored';
  record: RunRecord;
  gate: GateRules;
  origin: SideOrigin;
  candidateOrigin: SideOrigin;
  warnings: Reason[];
}

/** There is no baseline, and the warnings say why. */
export interface FirstMeasurement {
  kind: 'first';
  candidateOrigin: SideOrigin;
  warnings: Reason[];
}

export interface BaselineRequest {
  phrase: BaselinePhrase;
  /** `spec`: its `gate.baseline`, which a pull request cannot change for itself. An anchor counts as `call`. */
  phraseFrom: 'spec' | 'call';
  /** Of the candidate, as its file has it. */
  spec: ResolvedSpec;
  /** What of it the run measures: an earlier one of less is no baseline. */
  selection: Selection;
  /** How this run loads for a shorter time than a spec says. */
  shortened(spec: ResolvedSpec): ResolvedSpec;
  /** Absolute. */
  specFile: string;
  /** What `record:PATH` is relative to: the spec's folder, or the working folder of a call. */
  recordDirectory: string;
  /** Folders that the run itself writes to, absolute: no change of the author's. */
  ownFolders: string[];
  runtime: Runtime;
}

export interface BaselineAdapters {
  repositories: Repositories;
  images: ImageStore;
  history: RecordHistory;
  files: BaselineFiles;
  workflow: WorkflowFacts;
}
