/**
 * Artifacts of a measuring run. No name of a spec has a plus in it:
 *
 *     wrkbench-api                          the folder of the run of `api`
 *     wrkbench-api+shard-2-of-4             that of one shard, which a later job merges
 *     wrkbench-api+attempt-2                a second attempt: an artifact is not written over, and its name is taken
 *
 * A job that is run again gets 409 for a name that its first attempt has used:
 * https://github.com/actions/upload-artifact/issues/585
 */
export interface ArtifactContent {
  specName: string;
  shard: { index: number; count: number } | null;
  attempt: number;
}

const NAME =
  /^wrkbench-([a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?)(?:\+shard-([1-9]\d?)-of-([1-9]\d?))?(?:\+attempt-([1-9]\d{0,3}))?$/;

export function artifactName({ specName, shard, attempt }: ArtifactContent): string {
  const part = shard === null ? '' : `+shard-${shard.index}-of-${shard.count}`;
  return `wrkbench-${specName}${part}${attempt === 1 ? '' : `+attempt-${attempt}`}`;
}

/** Null for an artifact of something else. */
export function readArtifactName(name: string): ArtifactContent | null {
  const [, specName, index, count, attempt] = NAME.exec(name) ?? [];
  if (specName === undefined) return null;
  const shard = index === undefined ? null : { index: Number(index), count: Number(count) };
  return { specName, shard, attempt: attempt === undefined ? 1 : Number(attempt) };
}

/** Of several that hold the same the one of the last attempt; of two of that, the later. */
export function newestOf<A extends { id: number; name: string }>(
  artifacts: readonly A[],
  holds: (content: ArtifactContent) => boolean,
): A | null {
  const fitting = artifacts.flatMap((artifact) => {
    const content = readArtifactName(artifact.name);
    return content !== null && holds(content) ? [{ artifact, attempt: content.attempt }] : [];
  });
  fitting.sort((one, other) => other.attempt - one.attempt || other.artifact.id - one.artifact.id);
  return fitting[0]?.artifact ?? null;
}
