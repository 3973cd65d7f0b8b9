import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../../app/ports/progress.ts';
import { RUNNER_CONTAINER_DOCKERFILE } from '../../core/topology/runner-container.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import type { Engine } from './engine.ts';
import { haveImage } from './images.ts';

const BUILD_SECONDS = 1800;

/** The image that `WRKBENCH_RUNNER_CONTAINER_IMAGE` names, else one that is built here, once. */
export async function runnerContainerImage(engine: Engine, progress: Progress, signal: AbortSignal): Promise<string> {
  const onLine = (line: string) => progress.say(line);
  const named = process.env.WRKBENCH_RUNNER_CONTAINER_IMAGE;
  if (named) return (await haveImage(engine, named, onLine, signal)).id;
  const folder = await makeTemporaryFolder('runner-container');
  try {
    await writeFile(join(folder, 'Dockerfile'), RUNNER_CONTAINER_DOCKERFILE);
    const tag = 'wrkbench-runner-container:latest';
    await engine.call(['build', '--tag', tag, folder], { signal, timeoutSeconds: BUILD_SECONDS, onLine });
    return (await haveImage(engine, tag, onLine, signal)).id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
