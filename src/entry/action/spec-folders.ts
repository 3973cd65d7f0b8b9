import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Job } from '../../app/ports/job.ts';
import { FAILURE_FILE } from '../../app/posting/artifact-records.ts';
import type { SpecFolders } from '../../app/workflow/lost-specs.ts';

/** In the input `out`, a folder for each spec. */
export function specFolders(workspace: string, out: string, job: Pick<Job, 'warn'>): SpecFolders {
  const folderOf = (specName: string) => path.join(workspace, out, specName);
  return {
    folderOf,
    async keepFailure(specName, why) {
      const file = path.join(folderOf(specName), FAILURE_FILE);
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, `${why}\n`);
      } catch (error) {
        // A full disk is often why there is no run: what could be measured is judged all the same.
        const reason = error instanceof Error ? error.message : String(error);
        job.warn(`Why ${specName} was not measured cannot be kept in ${file}, for a report by another job: ${reason}`);
      }
    },
  };
}
