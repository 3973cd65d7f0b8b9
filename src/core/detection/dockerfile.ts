import { relativePath } from '../values/scalars.ts';
import { filesCalled, folderOf, isRequestPath, nameOf, portOf, type RepositoryFile, textOf } from './files.ts';

export interface Recipe {
  path: string;
  /** Image that the last stage starts from. */
  base: string;
  /** The port that its command names, else the first that it exposes; variables filled in from its ARG and ENV. */
  port: number | null;
  /** Path of a health check that asks by HTTP. */
  health: string | null;
  content: string;
}

interface Instruction {
  /** In capitals. */
  name: string;
  value: string;
}

const DOCKERFILE = /^(?:Dockerfile|Containerfile|Dockerfile\.[\w.-]+|[\w.-]+\.Dockerfile)$/;

/** All Dockerfiles; of a folder that has several, the one without a name of its own, or else the one for production. */
export function recipesOf(files: readonly RepositoryFile[]): Recipe[] {
  const found = filesCalled(files, DOCKERFILE).filter(({ path }) => relativePath.safeParse(path).success);
  const rank = ({ path }: RepositoryFile) => {
    const name = nameOf(path);
    return name === 'Dockerfile' || name === 'Containerfile' ? 0 : /prod|release/.test(name) ? 1 : 2;
  };
  const best = new Map<string, RepositoryFile>();
  for (const file of [...found].sort((a, b) => rank(a) - rank(b))) {
    if (!best.has(folderOf(file.path))) best.set(folderOf(file.path), file);
  }
  return found.filter((file) => best.get(folderOf(file.path)) === file).map(recipeOf);
}

export function recipeOf({ path, content }: RepositoryFile): Recipe {
  const stages = [...content.matchAll(/^[ \t]*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/gim)];
  let base = stages.at(-1)?.[1] ?? '';
  // A stage may start from another one of the same file.
  for (let step = 0; step < 10; step += 1) {
    const other = stages.find(([, , name]) => name?.toLowerCase() === base.toLowerCase());
    if (other === undefined || other[1] === base) break;
    base = other[1]!;
  }
  return { path, base, port: commandPort(content) ?? exposedPort(content), health: healthPath(content), content };
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
function lastOf(dockerfile: string, ...names: string[]): Instruction[] {
  const stages = stagesOf(dockerfile).map((stage) => stage.filter(({ name }) => names.includes(name)));
  return stages.findLast((stage) => stage.length > 0) ?? [];
}

/** An option of a server, or the command of Django's, that has an address or a port behind it. */
const LISTENING = /^(?:--port|-p|--bind|-b|runserver)(?:=(.*))?$/;

function commandPort(dockerfile: string): number | null {
  const commands = lastOf(dockerfile, 'ENTRYPOINT', 'CMD');
  // Docker puts the words of CMD behind those of ENTRYPOINT.
  const words = ['ENTRYPOINT', 'CMD'].flatMap((each) => wordsOf(commands.findLast(({ name }) => name === each)));
  const variables = variablesOf(dockerfile);
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

function exposedPort(dockerfile: string): number | null {
  const exposed = lastOf(dockerfile, 'EXPOSE')[0]?.value.split(/\s+/)[0];
  return exposed === undefined ? null : filledPort(exposed.replace(/\/(?:tcp|udp)$/i, ''), variablesOf(dockerfile));
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

/** Of a health check that asks by HTTP, in a Dockerfile or in a compose file. */
export function healthPath(text: string): string | null {
  const path = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::[\w${}]+)?(\/[\w./-]*)/.exec(text)?.[1];
  return /HEALTHCHECK|^["[]/.test(text) && isRequestPath(path) ? path : null;
}
