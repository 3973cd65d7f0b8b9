/** Which variables a service is told, of those that files name. */
import type { Candidate } from './candidates.ts';
import type { ComposeVariable } from './compose.ts';
import { exampleEnvironments, isOwnEnvironment, variablesIn } from './compose-variables.ts';
import {
  classified,
  connectionUrl,
  databaseVariablesIn,
  type EnvironmentContext,
  OWN_SECRET,
  type SetVariable,
  type UnsetVariable,
} from './environment.ts';
import { folderOf, isSource, type RepositoryFile } from './files.ts';
import { withFirstAccount } from './first-account.ts';
import { MOST_VARIABLES } from './fitting.ts';
import type { Program } from './programs/program.ts';

/** Of its compose file, with the secrets that it leaves open; where that tells it nothing, what its code reads of the examples. */
export function variablesOf(
  { compose, program, folder }: Candidate,
  files: readonly RepositoryFile[],
): ComposeVariable[] {
  const isRead = readBy(program);
  const isBeside = (path: string) => folderOf(path) === folder || folderOf(path) === '.';
  const beside = files.filter(({ path }) => isBeside(path));
  const own = [...exampleEnvironments(beside), ...beside.filter(({ path }) => isOwnEnvironment(path))];
  const all = [...own].sort((a, b) => Number(isOwnEnvironment(a.path)) - Number(isOwnEnvironment(b.path)));
  if (compose !== null && compose.environment.length > 0)
    return program === null || program.readsEveryVariable
      ? compose.environment
      : [...compose.environment, ...insistedOn(all, compose.environment, isRead)];
  const settings = program?.variables ?? [];
  const named = all
    .flatMap(({ path, content }) => variablesIn(content).map(([name, value]) => ({ name, value, from: path })))
    .filter(({ name }) => isRead(name) && !settings.some((each) => each.name === name));
  return [...settings, ...named];
}

/** Secrets that the code reads and a compose file leaves to a file beside it: most servers refuse to start without. */
function insistedOn(
  examples: readonly RepositoryFile[],
  told: readonly ComposeVariable[],
  isRead: (name: string) => boolean,
): ComposeVariable[] {
  const known = new Set(told.map(({ name }) => name));
  const found = examples.flatMap(({ path, content }) =>
    variablesIn(content).map(([name, value]) => ({ name, value, from: path })),
  );
  return found.filter(({ name }) => OWN_SECRET.test(name) && !known.has(name) && isRead(name));
}

/** Whether the code of a program names a variable; of one that is not known, any may be read. */
function readBy(program: Program | null): (name: string) => boolean {
  const isEvery = program === null || program.readsEveryVariable;
  const sources = (isEvery ? [] : program.files).filter(({ path }) => isSource(path)).map(({ content }) => content);
  const words = new Set(sources.flatMap((content) => content.toLowerCase().match(/\w+/g) ?? []));
  const isWord = (name: string) => words.has(name.toLowerCase());
  // `DATABASE__HOST` is the field `host` of `database`, as settings that are classes within classes have it.
  const isNested = (name: string) => name.includes('__') && name.split('__').every(isWord);
  return (name) => sources.length === 0 || isWord(name) || isNested(name);
}

export function environmentOf(
  { program }: Candidate,
  variables: readonly ComposeVariable[],
  context: EnvironmentContext,
): { env: SetVariable[]; unset: UnsetVariable[] } {
  const isRead = readBy(program);
  const env: SetVariable[] = Object.entries(program?.portVariables ?? {})
    .filter(([name]) => program!.listensUnseen || isRead(name) || name !== 'PORT')
    .map(([name, value]) => ({ name, value, from: '', note: '' }));
  const unset: UnsetVariable[] = [];
  const seen = new Set(env.map(({ name }) => name));
  for (const { name, value, from } of withFirstAccount(variables)) {
    if (seen.has(name)) continue;
    if (seen.size >= MOST_VARIABLES) {
      unset.push({ name: 'others', from, why: `${MOST_VARIABLES} variables are enough for a first spec` });
      break;
    }
    seen.add(name);
    const result = classified(name, value, context);
    if (result.kind === 'set') env.push({ name, value: result.value, from, note: result.note });
    else unset.push({ name, from, why: result.why });
  }
  return { env, unset };
}

const A_GUESS = 'a guess: no file names the variable that holds the address of its database';

/** What the code reads about its database and no file has a value for; where nothing tells, the usual variable. */
export function databaseVariables({ compose, program }: Candidate, env: readonly SetVariable[]): SetVariable[] {
  const set = env.filter(({ value }) => value.includes('${database.'));
  // A compose file says all, and a URL needs no parts.
  if (compose !== null && set.length > 0) return [];
  if (set.some(({ value }) => value.includes('://') || value.includes('${database.url}'))) return [];
  const named = program === null ? {} : databaseVariablesIn(program.files, program.scheme);
  const [first] = [named, program?.databaseVariables ?? {}].filter((each) => Object.keys(each).length > 0);
  const usual = set.length > 0 ? {} : { DATABASE_URL: connectionUrl(program?.scheme ?? 'postgres') };
  return Object.entries(first ?? usual)
    .filter(([name]) => !env.some((each) => each.name === name))
    .map(([name, value]) => ({ name, value, from: '', note: first === undefined ? A_GUESS : '' }));
}
