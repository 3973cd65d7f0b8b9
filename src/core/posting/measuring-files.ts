import { yamlDocument } from '../config/yaml-document.ts';
import { isMap } from '../plain-data.ts';
import { plainPath } from '../values/plain-path.ts';

/**
 * Files that decide how a pull request is measured: the workflow that measured it, and what that calls from the same
 * repository. A pull request brings its own version of all of them, so that one which changes any says of itself what it
 * likes.
 */
export interface MeasuringFiles {
  /** Workflows. */
  files: string[];
  /** All that is in them counts. */
  folders: string[];
  /** Folders of actions that are called; all that is in them counts. `''` is the repository's top. */
  actions: string[];
}

/** Those of the changed files that decide how it is measured. */
export function touched(changed: readonly string[], { files, folders, actions }: MeasuringFiles): string[] {
  return changed.filter(
    (path) =>
      files.includes(path) ||
      [...folders, ...actions].some((folder) => (folder === '' ? isOfAction(path) : path.startsWith(`${folder}/`))),
  );
}

/** An action at the top of a repository: what runs of it is in these. */
function isOfAction(path: string): boolean {
  return /^action\.ya?ml$/.test(path) || path.startsWith('dist/');
}

/** Where forges look for workflows. */
const WORKFLOW_FOLDERS = ['.github', '.forgejo', '.gitea'].map((folder) => `${folder}/workflows`);

/**
 * With all actions of the repository's own in their usual folder, wherever they are called from. A forge that does not say
 * which workflow it was (`''`) may have meant any.
 */
export function measuredBy(workflow: string): MeasuringFiles {
  const own = ['.github/actions'];
  return workflow === ''
    ? { files: [], folders: [...own, ...WORKFLOW_FOLDERS], actions: [] }
    : { files: [workflow], folders: own, actions: [] };
}

/** What may call something else, workflows first: of each the paths that it may have, the first that is there counts. */
export function callersIn({ files, actions }: MeasuringFiles): string[][] {
  const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);
  return [
    ...files.map((path) => [path]),
    ...actions.map((folder) => ['action.yml', 'action.yaml'].map((name) => inFolder(folder, name))),
  ];
}

/** What the text of a workflow, or of a composite action, adds to them. */
export function withCalls(measuring: MeasuringFiles, text: string): MeasuringFiles {
  const called = localCalls(text);
  const workflows = called.filter((path) => /\.ya?ml$/.test(path));
  const actions = called.filter((path) => !workflows.includes(path));
  return {
    ...measuring,
    files: [...new Set([...measuring.files, ...workflows])],
    actions: [...new Set([...measuring.actions, ...actions])],
  };
}

/**
 * `uses: ./…` and `uses: $/…` of jobs and steps, from the top of the repository, in an action too. The first is what is checked
 * out, the second what the commit of this file has: of a pull request, both are its own version.
 * https://github.blog/changelog/2026-07-30-reference-same-repository-actions-with-self-repository-syntax/
 */
function localCalls(text: string): string[] {
  const caller = parsed(text);
  if (!isMap(caller)) return [];
  const jobs = isMap(caller.jobs) ? Object.values(caller.jobs).filter(isMap) : [];
  const steps = [...jobs, ...(isMap(caller.runs) ? [caller.runs] : [])].flatMap((each) =>
    Array.isArray(each.steps) ? each.steps.filter(isMap) : [],
  );
  return [...jobs, ...steps].flatMap(({ uses }) =>
    typeof uses === 'string' && /^[.$]\//.test(uses) ? [plainPath(uses.slice(2))] : [],
  );
}

function parsed(text: string): unknown {
  try {
    return yamlDocument(text).document?.toJS({ maxAliasCount: 100 });
  } catch {
    return null;
  }
}
