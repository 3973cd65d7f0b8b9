import { generators } from '../../core/generators/registry.ts';
import type { GeneratorName } from '../../core/measurement/names.ts';
import { runChild } from './child.ts';
import { childEnvironment, type ExecutionOptions } from './execution.ts';
import { locateGenerator } from './locate.ts';
import { makeWorkFolder } from './work-folder.ts';

const TIMEOUT_SECONDS = 10;

/** What a generator says itself; null where it is not to be found, or says nothing of the kind. */
export async function versionOf(
  name: GeneratorName,
  { environment, workDirectory }: ExecutionOptions,
): Promise<string | null> {
  const { path } = locateGenerator(name, environment);
  if (path === null) return null;
  const folder = await makeWorkFolder(workDirectory);
  try {
    const { stdout, stderr } = await runChild(
      {
        command: { program: path, arguments: generators[name].versionArguments },
        directory: folder.path,
        env: childEnvironment(environment, folder.path, {}),
        timeoutSeconds: TIMEOUT_SECONDS,
        cpuCount: null,
        start: null,
      },
      new AbortController().signal,
    );
    return generators[name].versionOf(`${stdout}\n${stderr}`);
  } catch {
    return null;
  } finally {
    await folder.remove();
  }
}
