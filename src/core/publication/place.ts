/**
 * Where a run lies on the data branch:
 *
 *     wrkbench/SPEC/runs/2026-11/20261120-092802-0a1b2c.run-7301.3f2c1ab….json     as it was published; never written again
 *     wrkbench/SPEC/runs/2026-11/20261120-092802-0a1b2c.run-7301.3f2c1ab….raw.json what its generators wrote, where that is small
 *     wrkbench/SPEC/hidden/20261120-092802-0a1b2c                                  it counts no more; the text says why
 *     wrkbench/SPEC/set-aside/20261120-092802-0a1b2c.run-7301.3f2c1ab….json        it could not be read
 *
 * The name holds the commit, so that the nearest ancestor is found without reading a single record, and the workflow run,
 * so that a second attempt of that is known for what it is (`.run-7301` is left out of a run that no workflow made).
 * Beside them lie `manifest.json` and `series/`, which are made of the runs, and the pages themselves. Nothing outside of the
 * folder is ours.
 */
export const DATA_FOLDER = 'wrkbench';

/** What a path of the branch says of the run in it. */
export interface StoredPlace {
  path: string;
  specName: string;
  id: string;
  /** Of the commit that was measured; null where the run knew none. */
  sha: string | null;
  /** Id of the workflow run that measured it; null where none did. */
  workflowRun: number | null;
}

const ID = '[0-9]{8}-[0-9]{6}-[0-9a-f]{6}';
const SPEC = '[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?';
const SHA = '(?:[0-9a-f]{40}|[0-9a-f]{64})';
const WORKFLOW_RUN = '[1-9][0-9]{0,14}';
const RUN = new RegExp(
  `^${DATA_FOLDER}/(${SPEC})/runs/[0-9]{4}-[0-9]{2}/(${ID})(?:\\.run-(${WORKFLOW_RUN}))?\\.(${SHA}|no-commit)\\.json$`,
);
const HIDDEN = new RegExp(`^${DATA_FOLDER}/(${SPEC})/hidden/(${ID})$`);

const SET_ASIDE = new RegExp(
  `^${DATA_FOLDER}/(${SPEC})/set-aside/(${ID})(?:\\.run-${WORKFLOW_RUN})?\\.(?:${SHA}|no-commit)\\.json$`,
);

export const isSpecName = (name: string) => new RegExp(`^${SPEC}$`).test(name);
export const isRunId = (id: string) => new RegExp(`^${ID}$`).test(id);

/** Null where its name, id or commit could make a path of something else: a record may come from anybody. */
export function placeOf(run: {
  specName: string;
  id: string;
  sha: string | null;
  workflowRun?: number | null;
}): StoredPlace | null {
  const { specName, id, sha, workflowRun = null } = run;
  if (!isSpecName(specName) || !isRunId(id)) return null;
  if (sha !== null && !new RegExp(`^${SHA}$`).test(sha)) return null;
  if (workflowRun !== null && !new RegExp(`^${WORKFLOW_RUN}$`).test(String(workflowRun))) return null;
  const folder = `${DATA_FOLDER}/${specName}/runs/${id.slice(0, 4)}-${id.slice(4, 6)}`;
  const by = workflowRun === null ? '' : `.run-${workflowRun}`;
  return { path: `${folder}/${id}${by}.${sha ?? 'no-commit'}.json`, specName, id, sha, workflowRun };
}

/** Null for what is no run of ours. */
export function readPlace(path: string): StoredPlace | null {
  const [, specName, id, workflowRun, sha] = RUN.exec(path) ?? [];
  if (specName === undefined) return null;
  const by = workflowRun === undefined ? null : Number(workflowRun);
  return { path, specName, id: id!, sha: sha === 'no-commit' ? null : sha!, workflowRun: by };
}

export function hiddenPath(specName: string, id: string): string {
  return `${DATA_FOLDER}/${specName}/hidden/${id}`;
}

export function setAsidePath({ specName, path }: StoredPlace): string {
  return `${DATA_FOLDER}/${specName}/set-aside/${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** Runs of a spec that count, the newest first: ids begin with the time. */
export function countedRuns(paths: readonly string[], specName: string): StoredPlace[] {
  const hidden = new Set(paths.flatMap((path) => hiddenIn(path, specName)));
  return paths
    .flatMap((path) => readPlace(path) ?? [])
    .filter((place) => place.specName === specName && !hidden.has(place.id))
    .sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Id of the run that the file hides; null for another file. */
export function hiddenId(path: string): string | null {
  return HIDDEN.exec(path)?.[2] ?? null;
}

/** Id of the run that was set aside; null for another file. */
export function setAsideId(path: string): string | null {
  return SET_ASIDE.exec(path)?.[2] ?? null;
}

/** Where the generators' texts of a run lie. */
export function rawPath({ path }: Pick<StoredPlace, 'path'>): string {
  return path.replace(/\.json$/, '.raw.json');
}

function hiddenIn(path: string, specName: string): string[] {
  const [, spec, id] = HIDDEN.exec(path) ?? [];
  return spec === specName ? [id!] : [];
}

/**
 * The runs that may be a baseline, the best first: of the nearest of `ancestors` (nearest first), the newest of each; where
 * no ancestors are known, the newest.
 */
export function nearestRuns(runs: readonly StoredPlace[], ancestors: readonly string[]): StoredPlace[] {
  if (ancestors.length === 0) return [...runs];
  const distances = new Map(ancestors.map((sha, index) => [sha, index]));
  return runs
    .map((run) => ({ run, distance: run.sha === null ? ancestors.length : distances.get(run.sha) }))
    .flatMap(({ run, distance }) => (distance === undefined ? [] : [{ run, distance }]))
    .sort((one, other) => one.distance - other.distance || (one.run.id < other.run.id ? 1 : -1))
    .map(({ run }) => run);
}
