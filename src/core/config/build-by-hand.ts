import { shellWord } from '../format/shell-word.ts';
import { plainPath } from '../values/plain-path.ts';
import { isRemoteContext } from '../values/remote-context.ts';
import type { ImageSource } from './resolved.ts';

export type BuildSource = Extract<ImageSource, { kind: 'build' }>;

/** The Dockerfile of a build, as seen from the spec's folder; of a repository elsewhere, in that. */
export function dockerfileOf({ context, dockerfile }: BuildSource): string {
  const isWhole = isRemoteContext(context) || dockerfile.startsWith('/');
  return isWhole ? dockerfile : inFolder(`${context}/${dockerfile}`);
}

/**
 * The command that builds a service's image as this program does, and where: paths of the machine that measured would name a
 * baseline's folder, which is gone. Build arguments are named, and get their values from the environment.
 */
export function buildByHand(build: BuildSource): string {
  const isRemote = isRemoteContext(build.context);
  const words = [
    ...['docker', 'build'],
    ...(build.dockerfile === 'Dockerfile' ? [] : ['--file', dockerfileOf(build)]),
    ...(build.target === null ? [] : ['--target', build.target]),
    ...Object.keys(build.args).flatMap((name) => ['--build-arg', name]),
    isRemote ? build.context : inFolder(build.context),
  ];
  const where = isRemote ? '' : ', in the folder of the spec';
  return `Try it by hand${where}: \`${words.map(shellWord).join(' ')}\``;
}

/** A folder is one to Docker only if its name is not empty. */
function inFolder(path: string): string {
  if (path.startsWith('/')) return path;
  return plainPath(path) || '.';
}
