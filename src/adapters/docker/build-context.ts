import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { BuildSource } from '../../core/config/build-by-hand.ts';
import { RESULTS_FOLDER } from '../../core/config/paths.ts';
import { isRemoteContext } from '../../core/values/remote-context.ts';
import { projectProblem } from '../project/project-file.ts';

/** What a build reads: absolute paths, or a repository at a commit and a path in it. */
interface BuildPaths {
  /** The folder that is sent. */
  context: string;
  dockerfile: string;
}

/** Rejects with `TestbedError` 'build-failed' where they lead out of the project. */
export async function buildPaths(
  build: BuildSource,
  names: { whose: string; specDirectory: string },
): Promise<BuildPaths> {
  if (isRemoteContext(build.context)) return { context: build.context, dockerfile: build.dockerfile };
  await refuseOutside(build, names);
  const context = resolve(names.specDirectory, build.context);
  return { context, dockerfile: resolve(context, build.dockerfile) };
}

/**
 * The same without what earlier runs have left in the context: `COPY . .` would find another folder each time, and nothing after it in the
 * cache. BuildKit takes the list of what is not sent from beside the Dockerfile, which is copied into `folder` for that
 * (https://docs.docker.com/build/concepts/context/#dockerignore-files).
 */
export async function withoutResults(
  { context, dockerfile }: BuildPaths,
  build: BuildSource,
  folder: string,
): Promise<BuildPaths> {
  if (isRemoteContext(build.context)) return { context, dockerfile };
  const copy = join(folder, basename(dockerfile));
  try {
    const own = (await textOrNull(`${dockerfile}.dockerignore`)) ?? (await textOrNull(join(context, '.dockerignore')));
    await copyFile(dockerfile, copy);
    // The last pattern that fits decides.
    await writeFile(`${copy}.dockerignore`, `${own ?? ''}\n**/${RESULTS_FOLDER}\n`);
  } catch {
    // What cannot be read the build refuses in its own words.
    return { context, dockerfile };
  }
  return { context, dockerfile: copy };
}

async function textOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The engine itself would follow links to a context or a Dockerfile, and send what it finds there to the build. */
async function refuseOutside(
  build: BuildSource,
  { whose, specDirectory }: { whose: string; specDirectory: string },
): Promise<void> {
  const named = [
    { key: 'context', path: build.context, kind: 'folder' },
    { key: 'dockerfile', path: join(build.context, build.dockerfile), kind: 'file' },
  ] as const;
  for (const { key, path, kind } of named) {
    const problem = await projectProblem(specDirectory, path, kind);
    if (problem === null) continue;
    throw new TestbedError(
      'build-failed',
      `The image of ${whose} is not built: ${resolve(specDirectory, path)} ${problem}. Put a ${kind} of the repository there, or correct build.${key} in the spec.`,
    );
  }
}
