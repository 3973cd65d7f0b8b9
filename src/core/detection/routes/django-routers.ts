import { matchesOf, type RepositoryFile, withoutComments } from '../files.ts';

/** A router of the REST framework as `include` names it: `router.urls`, `routers.shop.urls`. */
export interface NamedRouter {
  /** Module that it is taken from; null where its name stands alone. */
  module: string | null;
  variable: string;
}

/** What a file registers: variable of the router → the names, in their order. */
type Registered = ReadonlyMap<string, readonly string[]>;

type Imports = ReadonlyMap<string, { path: string; name: string | null }>;

export interface RegisteredResources {
  names: readonly string[];
  /** At the end of each path. */
  slash: '' | '/';
}

/** Null where no router is included. */
export function includedRouter(call: string): NamedRouter | null {
  const [, module, variable] = /\binclude\(\s*\(?\s*(?:(\w+)\.)?(\w+)\.urls\b/.exec(call) ?? [];
  return variable === undefined ? null : { module: module ?? null, variable };
}

/** `urlpatterns = router.urls`; null where a list or another expression is there. */
export function routerAlone(text: string): NamedRouter | null {
  const [, module, variable] = /^urlpatterns\s*\+?=\s*(?:(\w+)\.)?(\w+)\.urls\b/m.exec(text) ?? [];
  return variable === undefined ? null : { module: module ?? null, variable };
}

/** What the routers of these files have registered, asked for one that a file names. */
export function registeredResources(
  files: readonly RepositoryFile[],
  importsOf: (file: RepositoryFile) => Imports,
): (router: NamedRouter, file: RepositoryFile) => RegisteredResources {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, Registered>();
  const registeredBy = (file: RepositoryFile): Registered => {
    const own = known.get(file.path) ?? registeredIn(withoutComments(file));
    known.set(file.path, own);
    return own;
  };
  return ({ module, variable }, file) => {
    const source = importsOf(file).get(module ?? variable);
    const holder = (source === undefined ? file : byPath.get(source.path)) ?? file;
    const registered = registeredBy(holder);
    const own = registered.get(module === null ? (source?.name ?? variable) : variable);
    // A router may be extended by what others have registered.
    const names = own ?? (source === undefined ? [...registered.values()].flat() : []);
    return { names, slash: /\btrailing_slash\s*=\s*False\b/.test(holder.content) ? '' : '/' };
  };
}

function registeredIn(text: string): Registered {
  const registered = new Map<string, string[]>();
  const calls = /\b(\w+)\.register\(\s*(?:prefix\s*=\s*)?r?['"]([^'"]*)['"]/g;
  for (const [, variable, name] of matchesOf(text, calls)) {
    registered.set(variable!, [...(registered.get(variable!) ?? []), name!]);
  }
  return registered;
}
