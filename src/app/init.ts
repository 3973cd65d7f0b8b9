import { SpecError } from '../core/config/diagnostics.ts';
import { readSpec } from '../core/config/read.ts';
import { isTelling, proposal, type RepositoryFile } from '../core/detection/proposal.ts';
import { budgetSecondsOf } from '../core/plan/budget.ts';
import { planOf } from '../core/plan/plan.ts';
import { durationText } from '../core/plan/plan-text.ts';
import { pullRequestSeconds } from '../core/plan/pull-request-time.ts';

export { AlreadyThere, isTelling } from '../core/detection/proposal.ts';

/** Where GitHub looks for workflows. */
export const WORKFLOW_FILE = '.github/workflows/benchmark.yml';

export interface StarterWorkflow {
  /** With `branches: [main]`. */
  text: string;
  /** Of the repository; null where it is not known. */
  branch: string | null;
}

export interface InitReport {
  /** To be written, none of them there yet. */
  files: RepositoryFile[];
  /** For a person. */
  text: string;
}

/**
 * `init`: the files to write, from those of the repository that `isTelling` picks. Throws `AlreadyThere` where one of
 * them is there; nothing is overwritten.
 */
export function initialFiles(
  files: readonly RepositoryFile[],
  folderName: string,
  workflow: StarterWorkflow | null = null,
): InitReport {
  const spec = proposal(files, folderName);
  const written = workflow === null ? spec : [...spec, { path: WORKFLOW_FILE, content: ofBranch(workflow) }];
  const seen = files.filter(({ path }) => isTelling(path)).map(({ path }) => path);
  const from = seen.length === 0 ? 'nothing in this folder says how to start a server' : `from ${seen.join(', ')}`;
  const lines = [
    ...spec.map(({ path }) => `${path} is written (${from}).`),
    ...(workflow === null
      ? []
      : [`${WORKFLOW_FILE} is written: it gates pull requests of the repository's own branches.`]),
    ...pullRequestTime(spec[0]!),
  ];
  return { files: written, text: `${lines.join('\n')}\nRead it, then: wrkbench validate\n` };
}

/** How long a pull request waits; nothing where the spec cannot be planned as it is. */
function pullRequestTime({ path, content }: RepositoryFile): string[] {
  try {
    const spec = readSpec(content, path);
    const plan = planOf(spec, { seed: 0 });
    const seconds = pullRequestSeconds(spec, plan, budgetSecondsOf(spec, plan));
    return [`A pull request waits about ${durationText(seconds)} in all, without building images.`];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return [];
  }
}

/** A starter, for a repository whose default branch has a name of its own. */
function ofBranch({ text, branch }: StarterWorkflow): string {
  return branch === null ? text : text.replace(/^( +branches: )\[main\]$/m, `$1[${JSON.stringify(branch)}]`);
}
