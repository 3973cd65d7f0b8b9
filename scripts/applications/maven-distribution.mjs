// A program of Maven Central that comes as an archive with all that it needs, and is set up once before it is started.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { applyChange } from './one-line-change.mjs';
import { requiredProgram, step } from './step.mjs';

const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';

/**
 * The program lies in `folder/NAME`. A change is made in the sources of one of its libraries: the class that it is in is compiled
 * again, and replaced in the library.
 * @param {{application: any, release: string, change: import('./one-line-change.mjs').OneLineChange | null, folder: string}} plan
 */
export async function installMavenDistribution({ application, release, change, folder }) {
  const { name, artifact, setUp } = application;
  const unpacked = join(folder, 'unpacked');
  await unpack(`${name} ${release} cannot be downloaded`, `${artifact}:${release}:zip`, unpacked);
  const [only] = readdirSync(unpacked);
  const program = join(folder, name);
  renameSync(join(unpacked, only), program);
  rmSync(unpacked, { recursive: true });
  if (change !== null) await changeLibrary(application, release, change, folder);
  const [first, ...args] = setUp;
  await step(`${name} ${release} cannot be set up`, [join(program, first), ...args], { cwd: program });
}

async function changeLibrary({ name, library: { artifact, file, classPath } }, release, change, folder) {
  const [source, classes] = [join(folder, 'source'), join(folder, 'classes')];
  const what = `${name} ${release} cannot be made slower`;
  await unpack(what, `${artifact}:${release}:jar:sources`, source);
  applyChange(source, change);
  const program = join(folder, name);
  const libraries = classPath.map((each) => join(program, each, '*')).join(delimiter);
  const options = ['-proc:none', '-nowarn', '-encoding', 'UTF-8', '-parameters', '-cp', libraries, '-d', classes];
  mkdirSync(classes);
  await step(what, [requiredJdkProgram('javac'), ...options, join(source, change.file)]);
  const jar = join(program, file.replaceAll('RELEASE', release));
  await step(what, [requiredJdkProgram('jar'), 'uf', jar, '-C', classes, '.']);
  for (const each of [source, classes]) rmSync(each, { recursive: true });
}

async function unpack(what, artifact, into) {
  const mvn = requiredProgram('mvn', 'Install Maven: https://maven.apache.org/install.html');
  // Maven marks in its working directory what it has unpacked, and unpacks nothing twice from there.
  const scratch = `${into}-marks`;
  mkdirSync(scratch);
  await step(what, [mvn, '-B', '-q', UNPACK, `-Dartifact=${artifact}`, `-DoutputDirectory=${into}`], { cwd: scratch });
  rmSync(scratch, { recursive: true });
}

function requiredJdkProgram(name) {
  return requiredProgram(name, 'Install a JDK: https://adoptium.net');
}
