import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { runCommand } from '../process/command.ts';
import { temporaryFolderFailure } from '../process/temporary-folder-failure.ts';

const DOWNLOAD_SECONDS = 180;

/**
 * A program out of a release's archive, in a folder of its own. Nothing of it is unpacked before its checksum is what the
 * definition says.
 */
export async function downloadedProgram(
  name: GeneratorName,
  { url, sha256, program }: { url: string; sha256: string; program: string },
  temporary: string | null,
  signal: AbortSignal,
): Promise<{ path: string } | { closed: string }> {
  const parent = temporary ?? tmpdir();
  const folder = await mkdtemp(join(parent, 'wrkbench-tool-')).catch((error) => {
    throw temporaryFolderFailure(error, parent);
  });
  const archive = join(folder, 'archive.tar.gz');
  try {
    const got = await fetched(url, archive, signal);
    if (got !== sha256) {
      return { closed: `${url} has the SHA-256 ${got}, and ${sha256} was expected: it was not unpacked.` };
    }
    const { failure } = await runCommand('tar', ['-xzf', archive, '-C', folder, program], {
      timeoutSeconds: 60,
      signal,
    });
    if (failure !== null) return { closed: `${url} cannot be unpacked: ${failure}` };
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await rename(join(folder, program), join(bin, name));
    return { path: join(bin, name) };
  } catch (error) {
    signal.throwIfAborted();
    return { closed: `${url} cannot be downloaded: ${reasonOf(error)}` };
  } finally {
    await rm(archive, { force: true });
  }
}

/** Writes the file and resolves to its SHA-256. */
async function fetched(url: string, path: string, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_SECONDS * 1000)]);
  const answer = await fetch(url, { signal: limit });
  if (!answer.ok || answer.body === null) throw new Error(`the answer was ${answer.status}`);
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  try {
    for await (const chunk of answer.body) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

/** `fetch` says only that it failed; why stands in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return `${cause?.message ?? message ?? String(error)}.`;
}
