import type { ResolvedSpec } from './resolved.ts';

/** Every path that a spec names, relative to its folder: what is built, started and read. */
export function specPaths({ services, database }: ResolvedSpec): string[] {
  const paths = services.flatMap(({ image, command, workingDirectory }) => [
    ...(image?.kind === 'build' ? [image.context, joined(image.context, image.dockerfile)] : []),
    ...(command === null ? [] : [workingDirectory]),
  ]);
  return [...new Set([...paths, ...(database?.init ?? [])])];
}

function joined(folder: string, file: string): string {
  return folder === '.' ? file : `${folder}/${file}`;
}
