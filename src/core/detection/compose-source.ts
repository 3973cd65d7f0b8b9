/** Which compose files of a repository are read together, and what they are filled in with. */
import { relativePath } from '../values/scalars.ts';
import { NO_VALUE, unvaluedIn, variablesBeside } from './compose-variables.ts';
import { mapOf } from './file-map.ts';
import {
  asList,
  asMap,
  folderOf,
  isComposeFile,
  isTelling,
  nameOf,
  nearestFirst,
  type RepositoryFile,
  textOf,
  under,
} from './files.ts';

/** What is to be read as one project. */
export interface ComposeSource {
  /** '.' for the root. */
  folder: string;
  /** The compose file, and its override where there is one. */
  files: string[];
  /** Its variables; `NO_VALUE` for those that no file has a value for. */
  variables: ReadonlyMap<string, string>;
  /** Services with files of variables, which Compose is not to open. */
  withVariableFiles: string[];
  /** It names files outside the repository, which are nobody's to be read. */
  leadsOutside: boolean;
}

const PLAIN = /^(?:docker-)?compose\.ya?ml$/;
const OVERRIDE = /^(?:docker-)?compose\.override\.ya?ml$/;
/** A folder that says whom its compose file is for. */
const FOR_TRIALS = /(?:^|[/_-])(?:tests?|e2e|dev|develop|development|local|environments?|examples?|demos?)(?:$|[/_-])/i;

export function isForTrials(folder: string): boolean {
  return FOR_TRIALS.test(folder);
}

/** Those of production first; files of other names count in folders that have no plain one. */
export function composeSources(files: readonly RepositoryFile[]): ComposeSource[] {
  const all = files
    .filter(({ path }) => isTelling(path) && isComposeFile(path) && relativePath.safeParse(path).success)
    .sort(nearestFirst);
  const folders = [...new Set(all.map(({ path }) => folderOf(path)))];
  const hasPlain = all.some(({ path }) => PLAIN.test(nameOf(path)));
  const sources = folders.flatMap((folder) => {
    const own = all.filter(({ path }) => folderOf(path) === folder);
    // In Compose's own order: compose.yaml before docker-compose.yml.
    const [plain] = own.filter(({ path }) => PLAIN.test(nameOf(path)));
    const override = own.find(({ path }) => OVERRIDE.test(nameOf(path)));
    if (plain !== undefined) {
      const beside = override ?? buildingBeside(plain, own);
      return [sourceOf(beside === undefined ? [plain] : [plain, beside], files)];
    }
    return hasPlain ? [] : own.filter((file) => file !== override).map((file) => sourceOf([file], files));
  });
  return sources.sort((a, b) => Number(isForTrials(a.folder)) - Number(isForTrials(b.folder)));
}

/**
 * Where the plain file starts only what stands beside a program that is started by hand, the one in its folder that builds the program:
 * both are given to Compose then.
 */
function buildingBeside(plain: RepositoryFile, own: readonly RepositoryFile[]): RepositoryFile | undefined {
  const builds = (file: RepositoryFile) =>
    Object.values(asMap(mapOf(file).services)).some((service) => asMap(service).build !== undefined);
  if (builds(plain)) return undefined;
  const others = own.filter((file) => builds(file) && !/tests?|e2e|[.-]ci[.-]|debug/i.test(nameOf(file.path)));
  return others.find(({ path }) => /prod/.test(nameOf(path))) ?? others[0];
}

function sourceOf(own: readonly RepositoryFile[], files: readonly RepositoryFile[]): ComposeSource {
  const folder = folderOf(own[0]!.path);
  const known = variablesBeside(files, folder);
  const unvalued = own.flatMap(({ content }) => [...unvaluedIn(content, known)]);
  return {
    folder,
    files: own.map(({ path }) => path),
    variables: new Map([...unvalued.map((name) => [name, NO_VALUE] as const), ...known]),
    withVariableFiles: [
      ...new Set(
        own.flatMap((file) =>
          Object.entries(asMap(mapOf(file).services)).flatMap(([key, service]) =>
            asMap(service).env_file === undefined ? [] : [key],
          ),
        ),
      ),
    ],
    leadsOutside: own.some((file) =>
      namedElsewhere(mapOf(file)).some((path) => isAddress(path) || under(folder, path) === null),
    ),
  };
}

/** Of a registry or a repository elsewhere: Compose would fetch it. */
function isAddress(path: string): boolean {
  return /^[\w+.-]+:|^[\w.-]+@|\.git(?:$|[#:])/.test(path);
}

/** Files that a compose file is continued in. */
function namedElsewhere(map: Record<string, unknown>): string[] {
  const extended = Object.values(asMap(map.services)).map((service) => asMap(asMap(service).extends).file);
  const included = asList(map.include).flatMap((each) => [asMap(each).path ?? each].flat());
  return [...extended, ...included].map(textOf).filter((path) => path !== '');
}
