import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { filesOfContent } from '../requests/content/content.ts';
import { plainPath } from '../values/plain-path.ts';
import { isRemoteContext } from '../values/remote-context.ts';
import { readBaselinePhrase } from './baseline-phrase.ts';
import { sqlFilesOf } from './prepare.ts';
import type { Endpoint, ImageSource, ResolvedSpec } from './resolved.ts';

/** Every path that a spec names, relative to its folder: what is built, started and read. */
export function specPaths(spec: ResolvedSpec): string[] {
  const { services, database, gate } = spec;
  const paths = services.flatMap(({ image, command, workingDirectory }) => [
    ...builtFrom(image),
    ...(command === null ? [] : [workingDirectory]),
  ]);
  const beside = [...(spec.dependencies ?? []).map(({ image }) => image), database?.build].flatMap((source) =>
    builtFrom(source),
  );
  const records = [gate.baseline, gate.anchor].flatMap((phrase) => (phrase === undefined ? [] : recordFiles(phrase)));
  const read = [...dataFilesOf(spec), ...containerFilesOf(spec), ...measuringFilesOf(spec)];
  return [...new Set([...paths, ...beside, ...read, ...records])];
}

function builtFrom(image: ImageSource | null | undefined): string[] {
  if (image?.kind !== 'build' || isRemoteContext(image.context)) return [];
  return [image.context, joined(image.context, image.dockerfile)];
}

/** SQL files that the data of a spec are made by, relative to it, each once: those of `database.init`, then those of `prepare`. */
export function dataFilesOf(spec: Pick<ResolvedSpec, 'database' | 'prepare'>): string[] {
  return [...new Set([...(spec.database?.init ?? []), ...sqlFilesOf(spec)])];
}

/** Where a run leaves what it found, in a folder of its own, unless the call names another. */
export const RESULTS_FOLDER = 'wrkbench-results';

/** What services and dependencies are given of the checkout, in containers. */
export function containerFilesOf({
  services,
  dependencies = [],
}: Pick<ResolvedSpec, 'services' | 'dependencies'>): string[] {
  return [...new Set([...services, ...dependencies].flatMap(({ files = {} }) => Object.keys(files)))];
}

/**
 * The files that a spec at a path of the repository names, from the repository's top: how images are built, what fills the database,
 * and what is measured with. What goes into an image besides is the program's own.
 */
export function namedFiles({ services, database, gate, ...spec }: ResolvedSpec, specPath: string): string[] {
  const { dependencies = [] } = spec;
  const images = [...[...services, ...dependencies].map(({ image }) => image), database?.build];
  const builds = images.flatMap((image) => {
    if (image?.kind !== 'build' || isRemoteContext(image.context)) return [];
    const dockerfile = joined(image.context, image.dockerfile);
    return [dockerfile, `${dockerfile}.dockerignore`, joined(image.context, '.dockerignore')];
  });
  const records = [gate.baseline, gate.anchor].flatMap((phrase) => (phrase === undefined ? [] : recordFiles(phrase)));
  const folder = specPath.includes('/') ? specPath.slice(0, specPath.lastIndexOf('/')) : '.';
  const given = containerFilesOf({ services, dependencies });
  const all = [...builds, ...dataFilesOf({ database, ...spec }), ...given, ...measuringFilesOf(spec), ...records];
  return [...new Set(all.map((path) => plainPath(`${folder}/${path}`)))];
}

/** What is measured with, besides the spec: requests and bodies, scripts that generators are given, and the gateway's configuration. */
export function measuringFilesOf({
  load,
  gateway,
  endpoints,
}: Pick<ResolvedSpec, 'load' | 'gateway' | 'endpoints'>): string[] {
  return [
    ...requestFilesOf(endpoints),
    ...scriptsOf({ load }).map(({ script }) => script),
    ...(gateway?.config === undefined ? [] : [gateway.config]),
  ];
}

/** Files that requests of endpoints are made of, each once. */
function requestFilesOf(endpoints: readonly Endpoint[]): string[] {
  const all = endpoints.flatMap(({ requests, content }) => [
    ...(requests === undefined ? [] : [requests]),
    ...(content === undefined ? [] : filesOfContent(content)),
  ]);
  return [...new Set(all)];
}

/** Each with the generator that runs it. */
export function scriptsOf({ load }: Pick<ResolvedSpec, 'load'>): { generator: GeneratorName; script: string }[] {
  return GENERATOR_NAMES.flatMap((generator) => {
    const own = load[generator];
    const script = own === null ? null : generators[generator].load.scriptOf(own);
    return script === null ? [] : [{ generator, script }];
  });
}

/** Of `record:PATH`: a file, or a run's folder and what is read in it. */
function recordFiles(phrase: string): string[] {
  const read = readBaselinePhrase(phrase);
  return read.kind === 'record' ? [read.path, `${read.path}/run.json`, `${read.path}/journal.jsonl`] : [];
}

function joined(folder: string, file: string): string {
  return folder === '.' ? file : `${folder}/${file}`;
}
