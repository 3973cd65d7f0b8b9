import { folderOf, nameOf, type RepositoryFile } from '../files.ts';
import { methodOf } from '../routes/route.ts';
import { requestFilledIn, type WrittenRequest } from './written-request.ts';

const MOST_LINES = 2_000;

/** Block → its lines, as a `.bru` file has them. */
type Blocks = ReadonlyMap<string, readonly string[]>;

/** The requests of a collection, which has a file for each, with the variables of its environments. Format: https://docs.usebruno.com/bru-lang/overview */
export function brunoRequests(files: readonly RepositoryFile[]): WrittenRequest[] {
  const environments = files.filter(({ path }) => isEnvironment(path)).sort(localFirst);
  const shared = new Map(environments.toReversed().flatMap(({ content }) => pairsOf(blocksOf(content), 'vars')));
  return files
    .filter(({ path }) => !isEnvironment(path))
    .flatMap(({ content }) => requestOf(blocksOf(content), shared));
}

function isEnvironment(path: string): boolean {
  return nameOf(folderOf(path)) === 'environments';
}

function localFirst(a: RepositoryFile, b: RepositoryFile): number {
  const isLocal = ({ path }: RepositoryFile) => /^(?:local|dev)/i.test(nameOf(path));
  return Number(isLocal(b)) - Number(isLocal(a));
}

function blocksOf(text: string): Blocks {
  const blocks = new Map<string, string[]>();
  let own: string[] | null = null;
  for (const line of text.split(/\r?\n/, MOST_LINES)) {
    const [, name] = /^([a-z][\w:-]{0,40})\s{0,9}\{\s{0,9}$/.exec(line) ?? [];
    if (own === null && name !== undefined) {
      own = [];
      blocks.set(name, own);
    } else if (line.startsWith('}')) own = null;
    else own?.push(line);
  }
  return blocks;
}

/** `name: value` of each line; `~` before it says that it is not sent. */
function pairsOf(blocks: Blocks, block: string): [string, string][] {
  return (blocks.get(block) ?? []).flatMap((line): [string, string][] => {
    const [, name, value] = /^\s{0,20}([\w.-]{1,64})\s{0,9}:(.{0,5000})$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value!.trim()]];
  });
}

function requestOf(blocks: Blocks, shared: ReadonlyMap<string, string>): WrittenRequest[] {
  const verb = [...blocks.keys()].find((name) => /^(?:get|post|put|patch|delete|head|options)$/.test(name));
  const method = verb === undefined ? null : methodOf(verb);
  if (method === null) return [];
  const said = new Map(pairsOf(blocks, verb!));
  const url = said.get('url') ?? '';
  const values = new Map([...shared, ...pairsOf(blocks, 'vars:pre-request')]);
  const way = said.get('auth') ?? 'none';
  const body = bodyOf(blocks, said.get('body') ?? 'none');
  // A file that is sent, or a query of its own.
  if (url === '' || body === undefined) return [];
  const locked = /^(?:none|inherit)$/.test(way) ? [] : [['authorization', way] as const];
  return [requestFilledIn({ method, url, headers: [...pairsOf(blocks, 'headers'), ...locked], body }, values)];
}

/** Undefined where it cannot be written down. */
function bodyOf(blocks: Blocks, kind: string): string | null | undefined {
  if (kind === 'none') return null;
  if (/^form-?urlencoded$/i.test(kind)) return new URLSearchParams(pairsOf(blocks, 'body:form-urlencoded')).toString();
  if (kind !== 'json' && kind !== 'text') return undefined;
  return blocks.get(`body:${kind}`)?.join('\n').trim();
}
