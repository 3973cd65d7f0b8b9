import path from 'node:path';
import type { JobFacts } from '../../core/action/job-facts.ts';

/** Where the code is checked out, absolute. */
export function workspaceOf({ workspace }: Pick<JobFacts, 'workspace'>): string {
  return path.resolve(workspace || process.cwd());
}
