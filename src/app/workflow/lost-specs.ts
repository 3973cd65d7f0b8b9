import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { artifactName } from '../../core/posting/artifact-name.ts';
import type { Job } from '../ports/job.ts';
import type { LostSpec } from './specs.ts';

/** What a job leaves of each spec. */
export interface SpecFolders {
  /** Absolute folder of a spec's run. */
  folderOf(specName: string): string;
  /** Keeps in that folder why there is no run, for who reports it in another job. Never rejects. */
  keepFailure(specName: string, why: string): Promise<void>;
}

/** Leaves why specs are lost in their folders, and those as artifacts. */
export async function keepLost(
  lost: readonly LostSpec[],
  { upload }: Pick<ActionInputs, 'upload'>,
  { runAttempt: attempt }: Pick<JobFacts, 'runAttempt'>,
  { job, folderOf, keepFailure }: SpecFolders & { job: Pick<Job, 'upload'> },
): Promise<void> {
  for (const { specName, why } of lost) {
    await keepFailure(specName, why);
    if (upload) await job.upload(artifactName({ specName, shard: null, attempt }), folderOf(specName));
  }
}
