import type { Comparison } from '../../core/comparison/comparison.ts';
import { ANCHOR_RECORD, anchorComparison } from '../../core/posting/anchor.ts';
import { type ArtifactContent, newestOf, readArtifactName } from '../../core/posting/artifact-name.ts';
import { MOST_RAW, rawPaths, rawText } from '../../core/publication/raw-text.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { maxRecordLength, readRunRecord } from '../../core/record/run-record-file.ts';
import { UserError } from '../../core/user-error.ts';
import { type ArchiveReader, UnreadableArchive } from '../ports/archive.ts';
import { type ArtifactFacts, type Forge, ForgeFailure } from '../ports/forge.ts';

/** What the artifacts of a run hold: each spec's record, with the artifact that it is in, or why it cannot be had. */
export type FoundRecord =
  | {
      specName: string;
      record: RunRecord;
      artifact?: number;
      /** What its run against the anchor showed; absent where there was none. */
      anchor?: Comparison;
      /** What its generators printed, as `rawText` makes it; absent where it is not wanted, or not there. */
      raw?: string;
    }
  | { specName: string; failure: string };

/** Of one artifact: with raw files and pages a run has some megabytes. */
const MOST_ARTIFACT_BYTES = 128 * 1024 * 1024;
/** As many as a job reports specs; who makes thousands of artifacts is not read at all. */
const MOST_ARTIFACTS = 100;

/** Characters of all records of a run: they are held in memory together, each some times as large as its text. */
const MOST_CHARACTERS = 96 * 1024 * 1024;
/** For downloading and reading all of them. */
const MOST_MILLISECONDS = 40_000;
const TOO_MUCH = `the records of this run come to more than ${MOST_CHARACTERS / 1024 / 1024} MiB`;
const TOO_SLOW = `reading those before it took more than ${MOST_MILLISECONDS / 1000} s`;

/** Why there is no run, where the measuring job knew: of a spec with mistakes, which line it is. */
export const FAILURE_FILE = 'failure.txt';
const MOST_FAILURE_CHARACTERS = 20_000;

interface Wanted {
  /** With what the generators printed: of runs that are published, which are the repository's own. */
  raw: boolean;
}

/**
 * Of each artifact `run.json` is read, in memory, and where it is wanted some of the generators' texts: pages, Markdown and everything
 * else in it is made anew.
 */
export async function artifactRecords(
  run: number,
  { forge, archives, now }: { forge: Forge; archives: ArchiveReader; now(): Date },
  { raw }: Wanted = { raw: false },
): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  const began = now().getTime();
  let left = MOST_CHARACTERS;
  let spent: string | null = null;
  for (const [specName, artifact] of newest(await forge.artifacts(run))) {
    if (now().getTime() - began > MOST_MILLISECONDS) spent = TOO_SLOW;
    const failure = spent === null ? null : `the artifact ${artifact.name} was not read: ${spent}`;
    const text = failure === null ? await textOf(artifact, forge, archives) : { failure };
    if ('failure' in text) found.push({ specName, failure: text.failure });
    else if (text.text.length > left) {
      spent = TOO_MUCH;
      found.push({ specName, failure: `the artifact ${artifact.name} was not read: ${spent}` });
    } else {
      left -= text.text.length;
      const read = recordIn(text.text, specName, artifact);
      const texts = raw && 'record' in read ? rawIn(text.zip, read.record, archives) : null;
      const anchor = 'record' in read ? anchorIn(text.zip, read.record, left, archives) : null;
      left -= anchor?.characters ?? 0;
      found.push({
        ...read,
        ...(texts === null ? {} : { raw: texts }),
        ...(anchor?.comparison == null ? {} : { anchor: anchor.comparison }),
      });
    }
  }
  return found;
}

/** Of each spec the one to read; shards are put together by a job of the measuring run. */
function newest(artifacts: readonly ArtifactFacts[]): [string, ArtifactFacts][] {
  const names = artifacts.flatMap(({ name }) => {
    const content = readArtifactName(name);
    return content === null || content.shard !== null ? [] : [content.specName];
  });
  const specNames = [...new Set(names)];
  if (specNames.length > MOST_ARTIFACTS) {
    const most = `${MOST_ARTIFACTS} at most are reported by one job`;
    throw new ForgeFailure(
      `The run left results of ${specNames.length} specs, and ${most}. Share them out over several workflows.`,
      null,
    );
  }
  return specNames.map((specName) => {
    const holds = (content: ArtifactContent) => content.specName === specName && content.shard === null;
    return [specName, newestOf(artifacts, holds)!];
  });
}

async function textOf(
  { id, name, bytes, expired }: ArtifactFacts,
  forge: Forge,
  archives: ArchiveReader,
): Promise<{ text: string; zip: Uint8Array } | { failure: string }> {
  if (expired) return { failure: `the artifact ${name} has expired` };
  if (bytes > MOST_ARTIFACT_BYTES) return { failure: `the artifact ${name} is too large (${bytes} bytes)` };
  try {
    const zip = await forge.downloadArtifact(id, MOST_ARTIFACT_BYTES);
    const text = archives.text(zip, 'run.json', maxRecordLength);
    if (text !== null) return { text, zip };
    const why = archives.text(zip, FAILURE_FILE, MOST_FAILURE_CHARACTERS)?.trim() ?? '';
    return { failure: why === '' ? `the artifact ${name} holds no run.json` : why };
  } catch (error) {
    if (error instanceof UnreadableArchive || error instanceof ForgeFailure) return unreadable(name, error);
    throw error;
  }
}

function recordIn(text: string, specName: string, { id, name }: ArtifactFacts): FoundRecord {
  try {
    const record = readRunRecord(text, `${name}/run.json`);
    if (record.spec.name === specName) return { specName, record, artifact: id };
    return { specName, failure: `the artifact ${name} holds a run of another spec` };
  } catch (error) {
    if (error instanceof UserError) return { specName, ...unreadable(name, error) };
    throw error;
  }
}

/** Null where there is none that can be read: the run counts without it. */
function anchorIn(
  zip: Uint8Array,
  record: RunRecord,
  most: number,
  archives: ArchiveReader,
): { comparison: Comparison | null; characters: number } | null {
  try {
    const text = archives.text(zip, ANCHOR_RECORD, maxRecordLength);
    if (text === null || text.length > most) return null;
    return { comparison: anchorComparison(record, readRunRecord(text, ANCHOR_RECORD)), characters: text.length };
  } catch (error) {
    if (error instanceof UnreadableArchive || error instanceof UserError) return null;
    throw error;
  }
}

/** Null where there is nothing to keep: a run counts without them. */
function rawIn(zip: Uint8Array, { id, cases }: RunRecord, archives: ArchiveReader): string | null {
  const paths = rawPaths(cases);
  const texts = archives.texts(zip, new Set(paths), MOST_RAW);
  return rawText(
    id,
    paths.map((path) => ({ path, text: texts.get(path) ?? null })),
  );
}

function unreadable(name: string, { message }: Error): { failure: string } {
  return { failure: `the artifact ${name} cannot be read: ${message.replace(/\.$/, '')}` };
}
