import { type ArtifactContent, newestOf, readArtifactName } from '../../core/posting/artifact-name.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { maxRecordLength, readRunRecord } from '../../core/record/run-record-file.ts';
import { UserError } from '../../core/user-error.ts';
import { type ArchiveReader, UnreadableArchive } from '../ports/archive.ts';
import { type ArtifactFacts, type Forge, ForgeFailure } from '../ports/forge.ts';

/** What the artifacts of a run hold: each spec's record, or why it cannot be had. */
export type FoundRecord = { specName: string; record: RunRecord } | { specName: string; failure: string };

/** Of one artifact: with raw files and pages a run has some megabytes. */
const MOST_ARTIFACT_BYTES = 256 * 1024 * 1024;
/** A repository has a few specs; who makes thousands of artifacts is not read to the end. */
const MOST_ARTIFACTS = 50;

/** Only `run.json` is read of each artifact, in memory: pages, Markdown and everything else in it is made anew. */
export async function artifactRecords(run: number, forge: Forge, archives: ArchiveReader): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const [specName, artifact] of newest(await forge.artifacts(run))) {
    found.push(await recordOf(specName, artifact, forge, archives));
  }
  return found;
}

/** Of each spec the one to read; shards are put together by a job of the measuring run. */
function newest(artifacts: readonly ArtifactFacts[]): [string, ArtifactFacts][] {
  const names = artifacts.flatMap(({ name }) => {
    const content = readArtifactName(name);
    return content === null || content.shard !== null ? [] : [content.specName];
  });
  return [...new Set(names)].slice(0, MOST_ARTIFACTS).map((specName) => {
    const holds = (content: ArtifactContent) => content.specName === specName && content.shard === null;
    return [specName, newestOf(artifacts, holds)!];
  });
}

async function recordOf(
  specName: string,
  { id, name, bytes, expired }: ArtifactFacts,
  forge: Forge,
  archives: ArchiveReader,
): Promise<FoundRecord> {
  if (expired) return { specName, failure: `the artifact ${name} has expired` };
  if (bytes > MOST_ARTIFACT_BYTES) return { specName, failure: `the artifact ${name} is too large (${bytes} bytes)` };
  try {
    const zip = await forge.downloadArtifact(id, MOST_ARTIFACT_BYTES);
    const text = archives.text(zip, 'run.json', maxRecordLength);
    if (text === null) return { specName, failure: `the artifact ${name} holds no run.json` };
    const record = readRunRecord(text, `${name}/run.json`);
    if (record.spec.name !== specName) {
      return { specName, failure: `the artifact ${name} holds a run of another spec` };
    }
    return { specName, record };
  } catch (error) {
    if (error instanceof UserError || error instanceof UnreadableArchive || error instanceof ForgeFailure) {
      return { specName, failure: `the artifact ${name} cannot be read: ${error.message.replace(/\.$/, '')}` };
    }
    throw error;
  }
}
