import { filesCalled, folderOf, isBelow, type RepositoryFile } from '../files.ts';
import { unique } from '../routes/route.ts';
import { routesIn } from '../routes/routes.ts';
import { aspnetProgram, laravelProgram, railsProgram } from './hosted.ts';
import { goProgram, rustProgram } from './native.ts';
import { nodeProgram } from './node.ts';
import { type Program, type ProgramReader, USUAL_PORT } from './program.ts';
import { pythonProgram } from './python.ts';
import { springProgram } from './spring.ts';

/** In this order: a folder with the package.json of a front end beside another manifest is the other's. */
const READERS: readonly ProgramReader[] = [
  goProgram,
  rustProgram,
  springProgram,
  aspnetProgram,
  railsProgram,
  laravelProgram,
  pythonProgram,
  nodeProgram,
];

/** The servers that the folders of a repository hold, one for each folder with a manifest. */
export function programsOf(files: readonly RepositoryFile[]): Program[] {
  const manifests = READERS.flatMap((reader) =>
    filesCalled(files, reader.manifest).map((manifest) => ({ reader, manifest, folder: folderOf(manifest.path) })),
  );
  const folders = [...new Set(manifests.map(({ folder }) => folder))];
  const found = new Map<string, Program>();
  for (const { reader, manifest, folder } of manifests) {
    if (found.has(folder)) continue;
    const own = ownFiles(files, folder, folders);
    const sign = reader.read(manifest, own);
    if (sign === null) continue;
    const {
      routes = [],
      usualPort = USUAL_PORT,
      listensUnseen = false,
      scheme = 'postgres',
      databaseVariables = {},
      basePath = null,
      readsEveryVariable = false,
      client,
      remarks = [],
      variables = [],
      ...rest
    } = sign;
    found.set(folder, {
      ...rest,
      folder,
      from: manifest.path,
      files: own,
      routes: unique([...routes, ...routesIn(own)]),
      basePath,
      readsEveryVariable,
      usualPort,
      listensUnseen,
      client: client ? manifest.path : null,
      scheme,
      databaseVariables,
      remarks,
      variables,
    });
  }
  return [...found.values()].sort((a, b) => depth(a.folder) - depth(b.folder) || (a.folder < b.folder ? -1 : 1));
}

/** Those of a folder that belong to no manifest below it. */
function ownFiles(files: readonly RepositoryFile[], folder: string, others: readonly string[]): RepositoryFile[] {
  const below = others.filter((other) => other !== folder && isBelow(other, folder));
  return files.filter(({ path }) => isBelow(path, folder) && !below.some((other) => isBelow(path, other)));
}

function depth(folder: string): number {
  return folder === '.' ? 0 : folder.split('/').length;
}
