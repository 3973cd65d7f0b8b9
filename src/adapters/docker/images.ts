import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageStore } from '../../app/ports/baselines.ts';
import { TestbedError } from '../../app/ports/testbed.ts';
import { type BuildSource, buildByHand, dockerfileOf } from '../../core/config/build-by-hand.ts';
import { cacheArguments } from '../../core/topology/build-cache.ts';
import { failedStepLines, lastLines } from '../../core/topology/build-output.ts';
import { handedEnvironment } from '../../core/topology/handed-environment.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { buildPaths, withoutResults } from './build-context.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { refuseWithoutAccess, refuseWithoutBase } from './registry-access.ts';

const BUILD_TIMEOUT_SECONDS = 3600;
const PULL_TIMEOUT_SECONDS = 1800;

export interface HadImage {
  id: string;
  /** `NAME@sha256:…` where a registry gave it; null for one that was built here. */
  digest: string | null;
  /** Of all its layers, unpacked; absent where the engine does not tell. */
  sizeBytes?: number;
}

/** What a record names: `sha256:…`, and after a blank the registry's digest where there is one. */
export function artifactOf(image: HadImage): string {
  return image.digest === null ? image.id : `${image.id} ${image.digest}`;
}

/** The image id of an artifact. */
export function imageIdOf(artifact: string): string {
  return artifact.split(' ')[0] ?? artifact;
}

/** Ids of images that were built here and were not there before. */
export type BuiltImages = Set<string>;

/** All that an engine holds, with a name or without. */
export async function imageIds(engine: Engine): Promise<Set<string>> {
  const { stdout } = await engine.call(['image', 'ls', '--all', '--quiet', '--no-trunc']);
  return new Set(stdout.split('\n').filter((id) => id !== ''));
}

/** Removes one of `built` that has lost its name to a later one. What a container still uses stays. Never rejects. */
export async function removeUnnamed(engine: Engine, id: string, built: BuiltImages): Promise<void> {
  if (!built.has(id)) return;
  try {
    const { stdout } = await engine.call(['image', 'inspect', '--format', '{{len .RepoTags}}', id]);
    if (stdout.trim() === '0') await engine.call(['image', 'rm', '--no-prune', id]);
  } catch {}
}

/** Which images an engine holds. Never rejects: where no engine answers, it holds none. */
export function imageStore(engine: Engine): ImageStore {
  return {
    has: (reference) =>
      inspectImage(engine, reference).then(
        (image) => image !== null,
        () => false,
      ),
  };
}

/** The image by its reference, pulled if it is not here. Rejects with `TestbedError` 'image-unavailable'. */
export async function haveImage(
  engine: Engine,
  reference: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<HadImage> {
  const local = await inspectImage(engine, reference);
  if (local !== null) return local;
  try {
    await engine.call(['pull', reference], { signal, timeoutSeconds: PULL_TIMEOUT_SECONDS, onLine });
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    await refuseWithoutAccess(engine, reference, error);
    throw new TestbedError(
      'image-unavailable',
      `The image ${reference} is not on this machine and cannot be pulled (${error.message.replace(/\.$/, '')}). ` +
        'Check its name and the network, or build it.',
      error.output.trim().includes('\n') ? lastLines(error.output) : [],
    );
  }
  const pulled = await inspectImage(engine, reference);
  if (pulled === null)
    throw new TestbedError('image-unavailable', `The image ${reference} was pulled, and is not there.`);
  return pulled;
}

/** Builds a service's image. Rejects with `TestbedError` 'build-failed', its log lines being the last of the build. */
export async function buildImage(
  engine: Engine,
  build: BuildSource,
  names: { tag: string; whose: string; specDirectory: string; cacheNamespace: string | null },
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<HadImage> {
  const paths = await buildPaths(build, names);
  const directory = await makeTemporaryFolder('build');
  const idFile = join(directory, 'image-id');
  const { tag } = names;
  const handed = handedEnvironment({ ...build.args, ...cacheArguments(names.cacheNamespace) }, '--build-arg');
  try {
    const command = await buildCommand(engine);
    const secrets = handedSecrets(build, command.isBuildKit, names.whose);
    const { context, dockerfile } = command.isBuildKit ? await withoutResults(paths, build, directory) : paths;
    const args = [
      ...command.arguments,
      ...secrets.arguments,
      ...['--file', dockerfile, '--iidfile', idFile, '--tag', tag],
      ...(build.target === null ? [] : ['--target', build.target]),
      ...handed.arguments,
      context,
    ];
    const env = { ...handed.env, ...secrets.env, ...command.env };
    await engine.call(args, { signal, timeoutSeconds: BUILD_TIMEOUT_SECONDS, onLine, env });
    const id = (await readFile(idFile, 'utf8')).trim();
    // Some builders write an id there that the engine does not know.
    const built = (await inspectImage(engine, id)) ?? (await inspectImage(engine, tag));
    return { ...built, id: built?.id ?? id, digest: null };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    await refuseWithoutBase(engine, names.whose, error);
    throw new TestbedError(
      'build-failed',
      `The image of ${names.whose} cannot be built from ${dockerfileOf(build)} (${error.message.replace(/\.$/, '')}). ` +
        buildByHand(build),
      failedStepLines(error.output),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * How an image is built: by buildx where there is one, and then loaded into the engine, since a builder in a container keeps its
 * result otherwise; without the attestation that would make another image of each build of the same files.
 */
export async function buildCommand(
  engine: Engine,
): Promise<{ arguments: string[]; env: Record<string, string>; isBuildKit: boolean }> {
  const env = { BUILDX_NO_DEFAULT_ATTESTATIONS: '1' };
  try {
    await engine.call(['buildx', 'version']);
    return { arguments: ['buildx', 'build', '--load'], env, isBuildKit: true };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    // The old builder leaves the container of a failed step behind unless it is told not to.
    return { arguments: ['build', '--force-rm'], env, isBuildKit: false };
  }
}

/**
 * Secrets as the command is told them: by the names of variables of its own, so that no value stands in its arguments or in the image.
 * Throws `TestbedError` 'build-failed' where the engine's command cannot hand them on.
 */
function handedSecrets(
  { secrets = {} }: BuildSource,
  isBuildKit: boolean,
  whose: string,
): { arguments: string[]; env: Record<string, string> } {
  const all = Object.entries(secrets).map(([id, value], at) => ({
    id,
    value,
    variable: `WRKBENCH_BUILD_SECRET_${at}`,
  }));
  if (all.length > 0 && !isBuildKit) {
    throw new TestbedError(
      'build-failed',
      `The image of ${whose} is not built: only BuildKit hands on the secrets of its build, and this docker command has no buildx. Install it (Debian and Ubuntu: docker-buildx, Docker's own packages: docker-buildx-plugin).`,
    );
  }
  return {
    arguments: all.flatMap(({ id, variable }) => ['--secret', `id=${id},env=${variable}`]),
    env: Object.fromEntries(all.map(({ value, variable }) => [variable, value])),
  };
}

/** What an image starts its command by; none where it starts it as it is. */
export async function imageEntrypoint(engine: Engine, image: string): Promise<string[]> {
  const { stdout } = await engine.call(['image', 'inspect', '--format', '{{json .Config.Entrypoint}}', image]);
  return (JSON.parse(stdout) as string[] | null) ?? [];
}

/** The same, and the words that follow it where nobody says others. */
export async function imageProgram(
  engine: Engine,
  image: string,
): Promise<{ entrypoint: string[]; command: string[] }> {
  const format = '[{{json .Config.Entrypoint}},{{json .Config.Cmd}}]';
  const { stdout } = await engine.call(['image', 'inspect', '--format', format, image]);
  const [entrypoint, command] = JSON.parse(stdout) as [string[] | null, string[] | null];
  return { entrypoint: entrypoint ?? [], command: command ?? [] };
}

/** Null where the engine has no such image. */
async function inspectImage(engine: Engine, reference: string): Promise<HadImage | null> {
  try {
    const { stdout } = await engine.call([
      'image',
      'inspect',
      '--format',
      '{{.Id}} {{.Size}} {{json .RepoDigests}}',
      reference,
    ]);
    const [id = '', size = '', digests = '[]'] = stdout.trim().split(' ');
    const [digest = null] = (JSON.parse(digests) as string[] | null) ?? [];
    return { id, digest, ...(Number(size) > 0 ? { sizeBytes: Number(size) } : {}) };
  } catch (error) {
    if (error instanceof EngineFailure && /no such image|not found/i.test(error.message)) return null;
    throw error;
  }
}
