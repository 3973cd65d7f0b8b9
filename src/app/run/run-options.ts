import { dirname } from 'node:path';
import type { Acceptance } from '../../core/comparison/comparison.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Shard } from '../../core/config/shard.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import type { WantedBaseline } from '../baseline/prepared-baseline.ts';

export interface RunOptions {
  spec: ResolvedSpec;
  /** How this run loads for a shorter time than a spec says, besides `quick`. */
  shortened?(spec: ResolvedSpec): ResolvedSpec;
  /** Absolute. */
  specFile: string;
  /** Folder of the spec file. */
  specDirectory: string;
  only: string | null;
  quick: boolean;
  /** The part of the cases that this machine measures; null for all. */
  shard?: Shard | null;
  runtime: WantedRuntime;
  /** Null draws one. */
  seed: number | null;
  /** Go on with the run that the folder holds. */
  resume: boolean;
  /** What the candidate is compared with; null for a run on its own. */
  baseline: WantedBaseline | null;
  /** `--accept`: regressions that are known and wanted. */
  accepted: Acceptance[];
  failOnInconclusive: boolean;
  /** Measure even where both sides are the same. */
  noSkip: boolean;
  /** How long to wait for another run on this machine; null for as long as it takes. */
  waitSeconds: number | null;
  /** Folders beside the store's that are no change of the author's, absolute. */
  ownFolders?: string[];
}

/** A run of a spec on its own, in full, but for what is asked otherwise. `specFile` is absolute. */
export function runOptions(
  spec: ResolvedSpec,
  specFile: string,
  asked: Partial<Omit<RunOptions, 'spec' | 'specFile' | 'specDirectory'>>,
): RunOptions {
  return {
    spec,
    specFile,
    specDirectory: dirname(specFile),
    only: null,
    quick: false,
    shard: null,
    runtime: 'auto',
    seed: null,
    resume: false,
    baseline: null,
    accepted: [],
    failOnInconclusive: false,
    noSkip: false,
    waitSeconds: null,
    ...asked,
  };
}
