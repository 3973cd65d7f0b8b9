import {
  bracketed,
  folderOf,
  LONGEST_FUNCTION,
  matchesOf,
  nameOf,
  type RepositoryFile,
  withoutComments,
} from '../files.ts';
import { type Block, grouped, LONGEST_PATH, methodOf, normal, prefixAt, type Route, unique } from './route.ts';

const LONGEST_LINE = 1_000;

interface GoFunction {
  name: string;
  file: string;
  /** Name of the folder, which is that of the package nearly always. */
  package: string;
  start: number;
  end: number;
  text: string;
  /** Parameters in their order. */
  parameters: string[];
  /** In its text. */
  blocks: Block[];
}

/** net/http, gin, chi, echo, fiber and gorilla: groups by their variables, and functions that are given one. */
export function goRoutes(files: readonly RepositoryFile[]): Route[] {
  const functions = files.filter(({ path }) => /\.go$/.test(path)).flatMap(functionsOf);
  // Of one name, those of a few packages: more are methods that every type has.
  const byName = new Map([...grouped(functions, ({ name }) => name)].map(([name, own]) => [name, own.slice(0, 50)]));
  const packages = new Set<string | undefined>(functions.map((each) => each.package));
  const prefixes = new Map<GoFunction, Map<string, string>>();
  const given = (target: GoFunction, parameter: string, prefix: string) => {
    const known = prefixes.get(target) ?? new Map<string, string>();
    if (known.has(parameter)) return false;
    known.set(parameter, prefix);
    prefixes.set(target, known);
    return true;
  };
  // Each pass hands prefixes one call further.
  for (let pass = 0; pass < 4; pass += 1) {
    let isNew = false;
    for (const caller of functions) {
      const known = prefixes.get(caller) ?? new Map();
      for (const { target, parameter, prefix } of handedOn(caller, byName, packages, known)) {
        if (given(target, parameter, prefix)) isNew = true;
      }
    }
    if (!isNew) break;
  }
  return unique(functions.flatMap((each) => routesOf(each, prefixes.get(each) ?? new Map())));
}

function functionsOf(file: RepositoryFile): GoFunction[] {
  const text = withoutComments(file);
  const declared = matchesOf(text, /^func\s+(?:\([^)]{0,500}\)\s*)?(\w+)\(([^)]{0,2000})\)[^{\n]*\{/gm);
  return declared.map((match, index) => {
    const start = match.index + match[0].length - 1;
    // One that is not closed ends where the next one begins: no function of Go is declared in another.
    const next = declared[index + 1]?.index ?? text.length;
    const body = bracketed(text, start, Math.min(LONGEST_FUNCTION, next - start));
    return {
      name: match[1]!,
      file: file.path,
      package: nameOf(folderOf(file.path)),
      start,
      end: start + body.length,
      text: body,
      parameters: match[2]!.split(',').map((each) => each.trim().split(/\s+/)[0]!),
      blocks: blocksOf(body),
    };
  });
}

/** The key of what a function returns, beside its parameters. */
const RETURNED = 'return';

/** Blocks of `r.Route("/api", func(r chi.Router) {…})`. */
function blocksOf(text: string): Block[] {
  return matchesOf(text, /\.(?:Route|Group)\(\s*"([^"]*)",\s*func\([^)]{0,500}\)[^{]{0,500}\{/g).map((match) => {
    const start = match.index + match[0].length - 1;
    return { start, end: start + bracketed(text, start, LONGEST_FUNCTION).length, prefix: match[1]! };
  });
}

function groupsOf({ text }: GoFunction, known: ReadonlyMap<string, string>): Map<string, string> {
  const groups = new Map(known);
  for (const [, variable, parent, prefix] of matchesOf(
    text,
    /\b(\w+)\s*:?=\s*(\w+)\.(?:Group|PathPrefix)\(\s*"([^"]*)"/g,
  )) {
    groups.set(variable!, path(groups.get(parent!) ?? '', prefix!));
  }
  return groups;
}

/** Calls that give another function a group, and mounts of what another function returns. */
function handedOn(
  caller: GoFunction,
  functions: ReadonlyMap<string, readonly GoFunction[]>,
  packages: ReadonlySet<string | undefined>,
  known: ReadonlyMap<string, string>,
): { target: GoFunction; parameter: string; prefix: string }[] {
  const { text, blocks } = caller;
  const groups = groupsOf(caller, known);
  const found: { target: GoFunction; parameter: string; prefix: string }[] = [];
  const targetsOf = (qualifier: string | undefined, name: string) =>
    (functions.get(name) ?? []).filter(
      (each) =>
        each !== caller &&
        (qualifier === undefined ? folderOf(each.file) === folderOf(caller.file) : true) &&
        // A variable's method is found by its name alone; a package's function by both.
        (packages.has(qualifier) ? each.package === qualifier : true),
    );
  for (const match of matchesOf(text, /(?:\b(\w+)\.)?\b(\w+)\(((?:[^()"\n]|"[^"\n]*"|\([^()\n]*\))*)\)/g)) {
    const [, qualifier, name, args] = match;
    const targets = targetsOf(qualifier, name!);
    if (targets.length === 0) continue;
    for (const [index, argument] of args!.split(',').entries()) {
      const [, variable, group] = /^\s*(\w+)(?:\.Group\(\s*"([^"]*)"\s*\))?\s*$/.exec(argument) ?? [];
      if (variable === undefined) continue;
      const prefix = path(prefixAt(blocks, match.index, groups.get(variable) ?? '', path), group ?? '');
      if (prefix === '') continue;
      for (const target of targets) {
        const parameter = target.parameters[index];
        if (parameter !== undefined) found.push({ target, parameter, prefix });
      }
    }
  }
  for (const match of matchesOf(text, /\b(\w+)\.Mount\(\s*"([^"]*)",\s*(?:(\w+)\.)?(\w+)\(/g)) {
    const [, parent, prefix, qualifier, name] = match;
    const whole = path(prefixAt(blocks, match.index, groups.get(parent!) ?? '', path), prefix!);
    for (const target of targetsOf(qualifier, name!)) found.push({ target, parameter: RETURNED, prefix: whole });
  }
  return found;
}

function routesOf(own: GoFunction, known: ReadonlyMap<string, string>): Route[] {
  const { text, file, blocks } = own;
  const groups = groupsOf(own, known);
  const found: Route[] = [];
  const add = (variable: string, at: number, verb: string, route: string) => {
    const method = methodOf(verb);
    if (method === null || !/^\/|^$/.test(route)) return;
    const start = groups.get(variable) ?? known.get(RETURNED) ?? '';
    found.push({ method, path: normal(path(prefixAt(blocks, at, start, path), route)), from: file });
  };
  const verbs =
    /\b(\w+)\.(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Get|Post|Put|Patch|Delete|Head|Options)\(\s*"([^"]*)"\s*,/g;
  for (const match of matchesOf(text, verbs)) add(match[1]!, match.index, match[2]!, match[3]!);
  const handlers = /\b(\w+)\.(?:HandleFunc|Handle)\(\s*"(?:([A-Z]+) )?(\/[^"]*)"/g;
  for (const match of matchesOf(text, handlers)) {
    const after = /^[^\n]*?\)\.Methods\(\s*(?:"(\w+)"|http\.Method(\w+))/.exec(
      text.slice(match.index, match.index + LONGEST_LINE),
    );
    add(match[1]!, match.index, match[2] ?? after?.[1] ?? after?.[2] ?? 'GET', match[3]!);
  }
  return found;
}

/** A slash at the end stays: gin and echo answer without it by sending the client there. */
function path(prefix: string, route: string): string {
  return prefix === ''
    ? route
    : `${prefix}${route === '' ? '' : '/'}${route}`.slice(0, LONGEST_PATH).replaceAll(/\/{2,}/g, '/');
}
