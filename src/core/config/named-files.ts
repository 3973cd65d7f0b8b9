import { quoted } from '../format/quoted.ts';
import { GENERATOR_NAMES } from '../generators/registry.ts';
import { relativePath } from '../values/scalars.ts';
import type { Diagnostic } from './diagnostics.ts';
import { BUILD_USUAL } from './image-source.ts';
import { isPathGlob } from './path-glob.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** What a spec names in its folder and a run cannot do without. */
export interface NamedFile {
  /** Where the spec names it, or what it follows from. */
  at: Path;
  /** Relative to the folder of the spec. */
  file: string;
  kind: 'file' | 'folder';
  /** A Dockerfile that the spec does not name, since it has the usual name. */
  isDefault: boolean;
  /** It stands for all that fit it, of which there is one at least. */
  isGlob: boolean;
  /** Which runtime wants it; null for both. */
  runtime: 'docker' | 'process' | null;
}

/** `outside`: a link leads out of the repository; `special`: a pipe, a device or a socket. */
export type FoundKind = 'file' | 'folder' | 'outside' | 'special';

/**
 * Contexts and Dockerfiles, folders of commands, SQL files, the gateway's configuration, scripts of generators, requests and bodies. Records of other runs are none: a job may
 * fetch them first, and has a verdict of its own where they are missing.
 */
export function namedFiles(source: Source): NamedFile[] {
  const services = source
    .entriesAt(['services'])
    .flatMap(([name]) => [
      ...builtFrom(['services', name, 'build'], source),
      ...written(['services', name, 'working-directory'], 'folder', 'process', source),
      ...given(['services', name, 'files'], source),
    ]);
  const beside = source
    .entriesAt(['dependencies'])
    .flatMap(([name]) => [
      ...builtFrom(['dependencies', name, 'build'], source),
      ...given(['dependencies', name, 'files'], source),
    ]);
  const sql = listedAt(['database', 'init'], source);
  const steps = source.at(['prepare']);
  const prepared = (Array.isArray(steps) ? steps : []).flatMap((_, index) =>
    listedAt(['prepare', index, 'sql'], source),
  );
  const scripts: Path[] = GENERATOR_NAMES.map((generator) => ['load', generator, 'script']);
  const requests = source.entriesAt(['endpoints']).flatMap(([name]): Path[] => {
    const at = ['endpoints', name];
    const parts = source.entriesAt([...at, 'multipart']).map(([field]) => [...at, 'multipart', field, 'file']);
    return [[...at, 'requests'], [...at, 'body-file'], ...parts];
  });
  const read: Path[] = [['gateway', 'config'], ...scripts, ...requests];
  const database = builtFrom(['database', 'build'], source);
  const data = [...sql, ...prepared].flatMap((at) =>
    written(at, 'file', null, source).map((named) => ({ ...named, isGlob: isPathGlob(named.file) })),
  );
  return [...services, ...database, ...beside, ...data, ...read.flatMap((at) => written(at, 'file', null, source))];
}

/** Their names are the keys. */
function given(at: Path, source: Source): NamedFile[] {
  return source.entriesAt(at).flatMap(([file]) =>
    isPath(file)
      ? [
          {
            at: [...at, file],
            file,
            kind: 'file' as const,
            isDefault: false,
            isGlob: false,
            runtime: 'docker' as const,
          },
        ]
      : [],
  );
}

/** Where each of one text or several stands. */
function listedAt(path: Path, source: Source): Path[] {
  const texts = source.at(path);
  return Array.isArray(texts) ? texts.map((_, index) => [...path, index]) : [path];
}

/** What is wrong where `found` lies there instead. A Dockerfile in a context that there is not is told of with that. */
export function unfoundFile(
  { at, file, kind, isDefault, isGlob }: NamedFile,
  found: FoundKind | null,
  source: Source,
): Diagnostic | null {
  if (found === kind) return null;
  const name = at.join('.');
  const state = isGlob ? 'no file matches it' : found === null ? `there is no such ${kind}` : stateOf(found, kind);
  const message =
    isDefault && found === null
      ? `${name} has no file ${quoted(file)}: write one, or name another with \`dockerfile\``
      : `${name} names ${quoted(file)}, and ${state}${found === 'outside' || found === 'special' ? '' : ': paths are relative to the folder of the spec'}`;
  return source.aboutValue(at, { code: 'missing-file', message, found: file, expected: `a ${kind}` });
}

function stateOf(found: FoundKind, kind: NamedFile['kind']): string {
  if (found === 'outside') return 'a link leads from there out of the repository, which is not followed';
  if (found === 'special') return `that is a pipe, a device or a socket, not a ${kind}`;
  return `that is a ${found}, not a ${kind}`;
}

function builtFrom(path: Path, source: Source): NamedFile[] {
  const build = source.at(path);
  if (typeof build !== 'string' && !isMap(build)) return [];
  const own = isMap(build) ? build : { context: build };
  const { context = BUILD_USUAL.context, dockerfile = BUILD_USUAL.dockerfile } = own;
  if (!isPath(context) || !isPath(dockerfile)) return [];
  const placeOf = (key: string) => (isMap(build) && build[key] !== undefined ? [...path, key] : path);
  const isDefault = !isMap(build) || build.dockerfile === undefined;
  const file = context === '.' ? dockerfile : `${context}/${dockerfile}`;
  const folder: NamedFile[] =
    context === '.'
      ? []
      : [{ at: placeOf('context'), file: context, kind: 'folder', isDefault: false, isGlob: false, runtime: 'docker' }];
  return [...folder, { at: placeOf('dockerfile'), file, kind: 'file', isDefault, isGlob: false, runtime: 'docker' }];
}

function written(at: Path, kind: NamedFile['kind'], runtime: NamedFile['runtime'], source: Source): NamedFile[] {
  const file = source.at(at);
  return isPath(file) ? [{ at, file, kind, isDefault: false, isGlob: false, runtime }] : [];
}

/** Any other has been told already. */
function isPath(value: unknown): value is string {
  return relativePath.safeParse(value).success;
}
