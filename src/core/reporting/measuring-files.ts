import { parse } from 'yaml';
import { isMap } from '../plain-data.ts';

/**
 * Files that decide how a pull request is measured: the workflow that measured it, and what that calls from the same
 * repository. A pull request brings its own version of all of them, so that one which changes any says of itself what it
 * likes.
 */
export interface MeasuringFiles {
  /** Workflows. */
  files: string[];
  /** Of actions; all that is in them counts. `''` is the repository's top. */
  folders: string[];
}

/** Those of the changed files that decide how it is measured. */
export function touched(changed: readonly string[], { files, folders }: MeasuringFiles): string[] {
  return changed.filter(
    (path) =>
      files.includes(path) ||
      folders.some((folder) => (folder === '' ? isOfAction(path) : path.startsWith(`${folder}/`))),
  );
}

/** An action at the top of a repository: what runs of it is in these. */
function isOfAction(path: string): boolean {
  return /^action\.ya?ml$/.test(path) || path.startsWith('dist/');
}

/** With all actions of the repository's own, wherever they are called from. */
export const measuredBy = (workflow: string): MeasuringFiles => ({ files: [workflow], folders: ['.github/actions'] });

/** What the text of a workflow adds to them. */
export function withCalls(measuring: MeasuringFiles, text: string): MeasuringFiles {
  const called = localCalls(text);
  const workflows = called.filter((path) => /\.ya?ml$/.test(path));
  const actions = called.filter((path) => !workflows.includes(path));
  return {
    files: [...new Set([...measuring.files, ...workflows])],
    folders: [...new Set([...measuring.folders, ...actions])],
  };
}

/** `uses: ./…` of jobs and steps, without the `./`. */
function localCalls(text: string): string[] {
  const workflow = parsed(text);
  const jobs = isMap(workflow) && isMap(workflow.jobs) ? Object.values(workflow.jobs).filter(isMap) : [];
  const steps = jobs.flatMap((job) => (Array.isArray(job.steps) ? job.steps.filter(isMap) : []));
  return [...jobs, ...steps].flatMap(({ uses }) =>
    typeof uses === 'string' && uses.startsWith('./') ? [uses.slice(2).replace(/\/+$/, '')] : [],
  );
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch {
    return null;
  }
}
