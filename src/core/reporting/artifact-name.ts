/**
 * Artifacts of a measuring workflow: `wrkbench-api` holds the folder of the run of `api`, `wrkbench-api+shard-2-of-4` that
 * of one shard, which a later job merges. No name of a spec has a plus in it.
 */
const WHOLE = /^wrkbench-([a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?)$/;

export const artifactName = (specName: string) => `wrkbench-${specName}`;

export function shardArtifactName(specName: string, shard: number, shards: number): string {
  return `${artifactName(specName)}+shard-${shard}-of-${shards}`;
}

/** Null for an artifact of something else, and for a shard. */
export function specOfArtifact(name: string): string | null {
  return WHOLE.exec(name)?.[1] ?? null;
}
