import { relativePath } from '../values/scalars.ts';
import { asList, filesCalled, folderOf, isRequestPath, nameOf, portOf, type RepositoryFile, textOf } from './files.ts';

export interface Recipe {
  path: string;
  /** Image that the last stage starts from. */
  base: string;
  /** That its command names, variables filled in from its ARG and ENV. */
  port: number | null;
  exposed: number[];
  /** Which port its ENV tells the server. */
  toldPort: number | null;
  /** Path of a health check that asks by HTTP. */
  health: string | null;
  /** Whether the image holds the program, which else has to be mounted. */
  copiesCode: boolean;
  /** Files of its own, at paths that its ENV names and nothing in it makes the folders of. */
  kept: string[];
  /** Whether it says what to start; a script as an entry point alone waits to be told. */
  startsItself: boolean;
  /** Its command, where that starts a server again with each change of its files: without the option that says so. */
  withoutReloading: string[] | null;
  content: string;
}

/** No Dockerfile has more. */
const MOST_INSTRUCTIONS = 1_000;

interface Instruction {
  /** In capitals. */
  name: string;
  value: string;
}

const DOCKERFILE = /^(?:Dockerfile|Containerfile|Dockerfile\.[\w.-]+|[\w.-]+\.Dockerfile)$/;
/** Folders of what makes packages or a place to write code in, and no server. */
const OF_PACKAGING = /(?:^|\/)(?:debian|deb|rpm|arch|snap|flatpak|ci|\.devcontainer|devcontainer|packaging)$/i;

/** All Dockerfiles; of a folder that has several, the one without a name of its own, or else the one for production. */
export function recipesOf(files: readonly RepositoryFile[]): Recipe[] {
  const found = filesCalled(files, DOCKERFILE).filter(
    ({ path }) => relativePath.safeParse(path).success && !OF_PACKAGING.test(folderOf(path)),
  );
  const rank = ({ path }: RepositoryFile) => {
    const name = nameOf(path);
    if (name === 'Dockerfile' || name === 'Containerfile') return 0;
    return /prod|default/.test(name) ? 1 : /dev|test|release/.test(name) ? 3 : 2;
  };
  const best = new Map<string, RepositoryFile>();
  for (const file of [...found].sort((a, b) => rank(a) - rank(b))) {
    if (!best.has(folderOf(file.path))) best.set(folderOf(file.path), file);
  }
  return found.filter((file) => best.get(folderOf(file.path)) === file).map((file) => recipeOf(file));
}

/** As far as the stage that is built; the last one where none is named. */
export function recipeOf({ path, content }: RepositoryFile, target: string | null = null): Recipe {
  const chain = chainOf(content, target);
  const base = chain.at(-1)?.base ?? '';
  const variables = variablesOf(content);
  const stages = new Set(stageNames(content));
  const exposed = lastOf(chain, 'EXPOSE').flatMap(({ value }) =>
    value.split(/\s+/).flatMap((port) => filledPort(port.replace(/\/tcp$/i, ''), variables) ?? []),
  );
  return {
    path,
    base,
    port: commandPort(chain, variables),
    exposed,
    toldPort: toldPort(variables, exposed),
    health: askedBy(lastOf(chain, 'HEALTHCHECK').at(-1)?.value ?? '').path,
    copiesCode: chain
      .flatMap(({ instructions }) => instructions)
      .slice(0, MOST_INSTRUCTIONS)
      .some((each) => isCopyOfCode(each, stages)),
    kept: keptBy(content, variables),
    startsItself: lastOf(chain, 'CMD', 'ENTRYPOINT').some(
      ({ name, value }) => name === 'CMD' || !/\.sh["'\]\s]*$/.test(value),
    ),
    withoutReloading: commandWithoutReloading(lastOf(chain, 'CMD').at(-1)?.value ?? ''),
    content,
  };
}

/** The port that a variable of it holds: `PORT`, or an address at one that is exposed. */
function toldPort(variables: ReadonlyMap<string, string>, exposed: readonly number[]): number | null {
  const told = portOf(variables.get('PORT'));
  if (told !== null && (exposed.length === 0 || exposed.includes(told))) return told;
  const values = [...variables.values()].map((value) => portOf(/(?:^|:)(\d{2,5})$/.exec(value)?.[1]));
  return exposed.find((port) => values.includes(port)) ?? null;
}

/** Of the system, or where images put their programs. */
const USUAL_FOLDERS =
  /^\/(?:app|bin|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|workspace|code)(?:\/|$)/;

function keptBy(dockerfile: string, variables: ReadonlyMap<string, string>): string[] {
  const others = dockerfile
    .split('\n')
    .filter((line) => !/^\s*(?:ENV|ARG|#)/i.test(line))
    .join('\n');
  return [...variables]
    .filter(([name, value]) => /(?:PATH|FILE|DIR|FOLDER|DB)$/.test(name) && /^\/[\w-]+\/[\w./-]+$/.test(value))
    .map(([, value]) => value)
    .filter((value) => !USUAL_FOLDERS.test(value) && !others.includes(folderOf(value)));
}

interface Stage {
  name: string | null;
  /** What it starts from. */
  base: string;
  instructions: Instruction[];
}

/** The stage that is built and those that it starts from; at the end what stands before the first stage. */
function chainOf(dockerfile: string, target: string | null): Stage[] {
  const [first = [], ...others] = stagesOf(dockerfile);
  const stages = others.map((instructions): Stage => {
    const [, base = '', name = null] = /^(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(instructions[0]!.value) ?? [];
    return { name, base, instructions };
  });
  const called = (name: string) => stages.findIndex((stage) => stage.name?.toLowerCase() === name.toLowerCase());
  const chain: Stage[] = [];
  let at = target === null ? stages.length - 1 : called(target);
  // A stage starts from one before it.
  for (let before = stages.length; at >= 0 && at < before; ) {
    chain.push(stages[at]!);
    before = at;
    at = called(stages[at]!.base);
  }
  return [...chain, { name: null, base: chain.at(-1)?.base ?? '', instructions: first }];
}

/** The names of its stages, in their order. */
export function stageNames(dockerfile: string): string[] {
  return [...dockerfile.matchAll(/^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*\S+[ \t]+AS[ \t]+(\S+)/gim)].map(
    ([, name]) => name!,
  );
}

/** What is copied to install packages, or to start something that is not copied. */
const NO_CODE =
  /^(?:package[\w.*-]*\.json|[\w.*-]*lock(?:\.\w+|b)?|[\w.*-]*requirements[\w.*-]*(?:\.txt)?|pyproject\.toml|Pipfile\S*|go\.(?:mod|sum)|Gemfile\S*|composer\.\S+|Cargo\.toml|\S*\.csproj|\S*\.sln|pom\.xml|\.\w*rc(?:\.\w+)?|[\w.-]*\.sh)$/;

/** From the context, or out of another stage. */
function isCopyOfCode({ name, value }: Instruction, stages: ReadonlySet<string>): boolean {
  if (name !== 'COPY' && name !== 'ADD') return false;
  const from = /^(?:--\S+\s+)*--from=(\S+)/.exec(value)?.[1];
  if (from !== undefined) return /^\d+$/.test(from) || stages.has(from);
  return pathsOf(value)
    .slice(0, -1)
    .some((source) => !NO_CODE.test(nameOf(source)));
}

/** What a COPY names, in both ways to write it, without the options before them; the last one is where to. */
export function pathsOf(value: string): string[] {
  const paths = value.replace(/^(?:--\S+\s+)*/, '');
  return paths.startsWith('[') ? [...paths.matchAll(/"([^"]*)"/g)].map(([, path]) => path!) : paths.split(/\s+/);
}

/** The instructions of a Dockerfile, stage by stage; before the first stage stands what all of them share. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [[]];
  const lines = dockerfile
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\[ \t]*\r?\n/g, ' ')
    .split('\n');
  for (const line of lines) {
    const [, written, value] = /^\s*([A-Za-z]+)\s+(\S.*)/.exec(line) ?? [];
    if (written === undefined) continue;
    const name = written.toUpperCase();
    if (name === 'FROM') stages.push([]);
    stages.at(-1)!.push({ name, value: value!.trim() });
  }
  return stages;
}

/** Instructions of these names, of the last stage that has any. */
function lastOf(chain: readonly Stage[], ...names: string[]): Instruction[] {
  const stages = chain.map(({ instructions }) => instructions.filter(({ name }) => names.includes(name)));
  return stages.find((stage) => stage.length > 0) ?? [];
}

/** An option of a server, or the command of Django's, that has an address or a port behind it. */
const LISTENING = /^(?:--port|-p|--bind|-b|runserver)(?:=(.*))?$/;

function commandPort(chain: readonly Stage[], variables: ReadonlyMap<string, string>): number | null {
  const commands = lastOf(chain, 'ENTRYPOINT', 'CMD');
  // Docker puts the words of CMD behind those of ENTRYPOINT.
  const words = ['ENTRYPOINT', 'CMD'].flatMap((each) => wordsOf(commands.findLast(({ name }) => name === each)));
  const ports = words.flatMap((word, index) => {
    const [option, inline] = LISTENING.exec(word) ?? [];
    const address = option === undefined ? '' : (inline ?? words[index + 1] ?? '');
    const port = /(?:^|:)(\d{1,5}|\$\w+|\$\{\w+(?::?-\d{1,5})?\})$/.exec(address)?.[1];
    return port === undefined ? [] : [filledPort(port, variables)];
  });
  return ports.at(-1) ?? null;
}

/** Of both ways to write a command; of several in a shell those of the last, since the others wait for something or prepare. */
function wordsOf(command: Instruction | undefined): string[] {
  const written = command?.value ?? '';
  let text = written;
  try {
    const list: unknown = JSON.parse(written);
    if (Array.isArray(list)) text = list.map(textOf).join(' ');
  } catch {
    // It is for a shell.
  }
  const [last = ''] = text.split(/&&|;/).slice(-1);
  return last.replaceAll(/["']/g, '').split(/\s+/);
}

/** A server that looks for changes of its files is another one; what loads it anew stays when the server itself has ended. */
export function withoutReloading(words: readonly string[]): string[] {
  return words.filter((word) => word !== '--reload').map((word) => word.replaceAll(/\s--reload(?=\s|$)/g, ''));
}

function commandWithoutReloading(written: string): string[] | null {
  if (!/--reload(?=["'\s]|$)/.test(written)) return null;
  try {
    const list: unknown = JSON.parse(written);
    if (Array.isArray(list)) return withoutReloading(list.map(textOf));
  } catch {
    // It is for a shell.
  }
  return withoutReloading(['sh', '-c', written]);
}

/** Of its ARG and ENV, by their names. */
function variablesOf(dockerfile: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const [, name, value] of dockerfile.matchAll(/^[ \t]*(?:ARG|ENV)\s+(\w+)(?:=|\s+)"?([^\s"]+)/gim)) {
    variables.set(name!, value!);
  }
  return variables;
}

/** A port as it is written, or the value of the variable that is; without a value, the default beside it. */
function filledPort(text: string, variables: ReadonlyMap<string, string>): number | null {
  const [, variable, fallback] = /^\$\{?(\w+)(?::?-(\d{1,5})\})?/.exec(text) ?? [];
  return portOf(variable === undefined ? text : (variables.get(variable) ?? fallback));
}

export interface HealthCheck {
  words: string[];
  /** Where it asks by HTTP. */
  path: string | null;
  port: number | null;
}

/** Of a compose file; null where it says none. */
export function healthCheckOf({ test, disable }: Record<string, unknown>): HealthCheck | null {
  const [kind, ...rest] = typeof test === 'string' ? ['CMD-SHELL', test] : asList(test).map(textOf);
  if (disable === true || rest.length === 0 || (kind !== 'CMD' && kind !== 'CMD-SHELL')) return null;
  return { words: kind === 'CMD' ? rest : ['sh', '-c', rest.join(' ')], ...askedBy(rest.join(' ')) };
}

/** What a command asks its own server for. */
function askedBy(text: string): { path: string | null; port: number | null } {
  const plain = text.replaceAll(/\$\{\w+(?::?-([^{}$]*))?\}|\$\w+/g, '$1');
  const [, port, path = ''] =
    /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::(\d{0,5}))?(\/[\w./-]*)?/.exec(plain) ?? [];
  return { path: isRequestPath(path) ? path : null, port: portOf(port) };
}
