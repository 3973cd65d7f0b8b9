import { join } from 'node:path';
import type { BuildSource } from '../../core/config/build-by-hand.ts';
import { BUILD_ARGUMENT, declaresBuildArgument, type OneBuild } from '../../core/config/builds.ts';
import { buildTag } from '../../core/topology/names.ts';
import { isRemoteContext } from '../../core/values/remote-context.ts';
import { readProjectFile } from '../project/project-file.ts';
import type { Engine } from './engine.ts';
import { type BuiltImages, buildImage, type HadImage, imageIds } from './images.ts';

export interface BuildsRequest {
  spec: string;
  service: string;
  /** In sentences, where it is no service's: `the dependency search`. */
  whose?: string;
  specDirectory: string;
  wanted: number;
  cacheNamespace: string | null;
  /** Filled with the images that were not there before. */
  built: BuiltImages;
}

/**
 * Builds a service's image as often as is wanted, each time with the next number; once where the Dockerfile does not take
 * the number, and then it is never passed: the engine would warn of it. Rejects as `buildImage`.
 */
export async function buildImages(
  engine: Engine,
  build: BuildSource,
  request: BuildsRequest,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<{ images: HadImage[]; one: OneBuild | null }> {
  const { spec, service, whose = `service ${service}`, specDirectory, wanted, cacheNamespace, built } = request;
  const { dockerfile } = build;
  // The Dockerfile of a repository elsewhere is read by the engine alone.
  const takesNumber =
    !isRemoteContext(build.context) &&
    declaresBuildArgument(await textOf(specDirectory, join(build.context, dockerfile)));
  const count = takesNumber ? wanted : 1;
  const known = await imageIds(engine);
  const images: HadImage[] = [];
  for (let number = 1; number <= count; number += 1) {
    const names = { tag: buildTag(spec, service, number), whose, specDirectory, cacheNamespace };
    const numbered = takesNumber ? { ...build, args: argsOf(build, number, wanted) } : build;
    const onBuildLine = count === 1 ? onLine : (line: string) => onLine(`build ${number} of ${count}: ${line}`);
    const image = await buildImage(engine, numbered, names, onBuildLine, signal);
    if (!known.has(image.id)) built.add(image.id);
    images.push(image);
  }
  if (wanted === 1) return { images, one: null };
  if (!takesNumber) return { images, one: { why: 'undeclared', dockerfile } };
  if (images.every(({ id }) => id === images[0]?.id)) {
    return { images: images.slice(0, 1), one: { why: 'unused', dockerfile } };
  }
  return { images, one: null };
}

/** No Dockerfile is longer. */
const MOST_BYTES = 1024 ** 2;

/** Empty where it cannot be read: then the build fails, and says why. A pull request may have a link to a device there. */
async function textOf(directory: string, file: string): Promise<string> {
  const read = await readProjectFile(directory, file, MOST_BYTES);
  return 'content' in read ? read.content.toString('utf8') : '';
}

/** A single build may have a number of the user's own. */
function argsOf({ args }: BuildSource, number: number, wanted: number): Record<string, string> {
  return wanted === 1 ? { [BUILD_ARGUMENT]: '1', ...args } : { ...args, [BUILD_ARGUMENT]: String(number) };
}
