import { folderOf, isComposeFile, type LeftOut, nameOf, type RepositoryFile } from '../files.ts';
import type { Known, ProgramReader, ProgramSign } from './program.ts';

const SPRING_SETTINGS = /^application\.(?:properties|ya?ml)$/;

/** pom.xml or build.gradle with Spring Boot's web starter. */
export const springProgram: ProgramReader = {
  manifest: /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
  read(manifest, files): ProgramSign | null {
    const { content, path } = manifest;
    if (!/spring-boot-starter-web(?:flux|mvc)?\b/.test(content)) return null;
    const settings = files.filter((file) => SPRING_SETTINGS.test(nameOf(file.path)));
    const profile = profileOf(settings, files);
    const isReactive = /r2dbc-postgresql/.test(content);
    const { name, jar, before } = path.endsWith('pom.xml') ? ofMaven(manifest, files) : ofGradle(manifest, files);
    const health = /spring-boot-starter-actuator/.test(content);
    return {
      name,
      start: { command: ['java', '-jar', jar], from: path, before, isSlow: false },
      port: springPort(settings) ?? { value: 8080, from: path },
      portVariables: { SERVER_PORT: '${port}' },
      client: profile.isPostgres && (isReactive || /org\.postgresql/.test(content)),
      remarks: profile.remarks,
      scheme: 'jdbc:postgresql',
      databaseVariables: {
        ...(isReactive
          ? { SPRING_R2DBC_URL: 'r2dbc:postgresql://${database.host}:${database.port}/${database.name}' }
          : { SPRING_DATASOURCE_URL: 'jdbc:postgresql://${database.host}:${database.port}/${database.name}' }),
        ...(profile.active === null ? {} : { SPRING_PROFILES_ACTIVE: profile.active }),
        [isReactive ? 'SPRING_R2DBC_USERNAME' : 'SPRING_DATASOURCE_USERNAME']: '${database.user}',
        [isReactive ? 'SPRING_R2DBC_PASSWORD' : 'SPRING_DATASOURCE_PASSWORD']: '${database.password}',
      },
      basePath: springBasePath(settings),
      ...(health ? { routes: [{ method: 'GET' as const, path: '/actuator/health', from: path }] } : {}),
    };
  },
};

/** Of a repository that has a file of settings for each database. */
const OTHER_DATABASE = /^(?:h2|hsqldb|hsql|derby|mysql|mariadb|sqlite|oracle|mssql|sqlserver|embedded)$/i;

interface Profile {
  isPostgres: boolean;
  /** What is to be told instead; null where the settings are right as they are. */
  active: string | null;
  remarks: LeftOut[];
}

/** Which database the active profiles are of: Postgres where they say so, or where a compose file starts one for a profile that is there. */
function profileOf(settings: readonly RepositoryFile[], files: readonly RepositoryFile[]): Profile {
  const active = springSetting(settings, 'spring.profiles.active') ?? '';
  const names = active.split(',').map((name) => name.trim());
  const other = names.find((name) => OTHER_DATABASE.test(name));
  if (other === undefined) return { isPostgres: true, active: null, remarks: [] };
  const own = files
    .map(({ path }) => /^application-(postgres(?:ql)?)\.(?:properties|ya?ml)$/.exec(nameOf(path))?.[1])
    .find((name) => name !== undefined);
  const isStarted = files.some(
    ({ path, content }) => isComposeFile(path) && /image:\s*['"]?[\w./-]*postgres/.test(content),
  );
  const from = settings[0]!.path;
  if (own !== undefined && isStarted) {
    const told = names.map((name) => (name === other ? own : name)).join(',');
    const why = `its settings have ${active}: the profile for Postgres is active in the spec, with what the compose file starts`;
    return { isPostgres: true, active: told, remarks: [{ what: `profile ${other} (${from})`, why, kind: 'database' }] };
  }
  const why =
    own === undefined
      ? `its settings have ${active}: no Postgres is started, and its data are in ${other}`
      : `its settings have ${active}: for Postgres set SPRING_PROFILES_ACTIVE with ${own} and add a database`;
  return { isPostgres: false, active: null, remarks: [{ what: `profile ${other} (${from})`, why, kind: 'database' }] };
}

/** Whether it runs the SQL of its class path itself, in whatever database it is told of. */
export function runsOwnSql(files: readonly RepositoryFile[]): boolean {
  const settings = files.filter(({ path }) => /^application(?:-[\w-]+)?\.(?:properties|ya?ml)$/.test(nameOf(path)));
  return settings.some((file) => springSetting([file], 'spring.sql.init.mode') === 'always');
}

function isThere(name: string, { path }: RepositoryFile, files: readonly RepositoryFile[]): boolean {
  return files.some((file) => nameOf(file.path) === name && folderOf(file.path) === folderOf(path));
}

function ofMaven(
  manifest: RepositoryFile,
  files: readonly RepositoryFile[],
): { name: string | null; jar: string; before: string } {
  const pom = manifest.content;
  const own = withoutParts(withoutParent(pom));
  const artifact = /<artifactId>([\w.-]+)<\/artifactId>/.exec(own)?.[1] ?? 'app';
  const version = /<version>([\w.-]+)<\/version>/.exec(own)?.[1] ?? '0.0.1-SNAPSHOT';
  const named = /<finalName>([\w.-]+)<\/finalName>/.exec(pom)?.[1];
  const maven = isThere('mvnw', manifest, files) ? './mvnw' : 'mvn';
  const before = `${maven} -DskipTests package`;
  return { name: artifact, jar: `target/${named ?? `${artifact}-${version}`}.jar`, before };
}

function withoutParent(pom: string): string {
  const start = pom.indexOf('<parent>');
  const end = pom.indexOf('</parent>', start);
  return start < 0 || end < 0 ? pom : pom.slice(0, start) + pom.slice(end + '</parent>'.length);
}

/** Without the first of the parts that name artifacts of others, through the last end of such a part. */
function withoutParts(pom: string): string {
  const [first] = ['dependencies', 'build', 'profiles']
    .map((tag) => ({ start: pom.indexOf(`<${tag}>`), last: pom.lastIndexOf(`</${tag}>`), length: tag.length + 3 }))
    .filter(({ start, last }) => start >= 0 && start < last)
    .sort((a, b) => a.start - b.start);
  return first === undefined ? pom : pom.slice(0, first.start) + pom.slice(first.last + first.length);
}

function ofGradle(manifest: RepositoryFile, files: readonly RepositoryFile[]) {
  const { path, content } = manifest;
  const settings = files.find(
    (file) => folderOf(file.path) === folderOf(path) && /^settings\.gradle/.test(nameOf(file.path)),
  );
  const name = /rootProject\.name\s*=\s*['"]([\w.-]+)['"]/.exec(settings?.content ?? '')?.[1] ?? null;
  const version = /^version\s*=\s*['"]([\w.-]+)['"]/m.exec(content)?.[1];
  const jar = `build/libs/${name ?? 'app'}${version === undefined ? '' : `-${version}`}.jar`;
  return { name, jar, before: `${isThere('gradlew', manifest, files) ? './gradlew' : 'gradle'} bootJar` };
}

function springBasePath(settings: readonly RepositoryFile[]): Known<string> | null {
  const value = springSetting(settings, 'server.servlet.context-path');
  const plain = value?.replace(/\/+$/, '') ?? '';
  return plain === '' ? null : { value: plain, from: settings[0]!.path };
}

/** A value of application.properties or application.yml, the default of a variable taken for it. */
function springSetting(settings: readonly RepositoryFile[], key: string): string | null {
  for (const { path, content } of settings) {
    const written = path.endsWith('.properties')
      ? new RegExp(`^\\s*${key.replaceAll('.', '\\.')}\\s*[=:]\\s*(.+?)\\s*$`, 'm').exec(content)?.[1]
      : yamlSetting(content, key);
    const value = /^\$\{[\w.]+:(.*)\}$/.exec(written ?? '')?.[1] ?? written;
    if (value !== undefined && !value.includes('${')) return value.replaceAll(/^["']|["']$/g, '');
  }
  return null;
}

const LONGEST_SETTING = 1_000;

/** Nested keys, a line at a time: a file of several documents is none to a YAML reader that wants one. */
function yamlSetting(content: string, key: string): string | undefined {
  const open: { indent: number; name: string }[] = [];
  for (const line of content.split('\n')) {
    const [, space, name, value] = /^(\s*)([\w.-]+):\s*(.*?)\s*(?:#.*)?$/.exec(line.slice(0, LONGEST_SETTING)) ?? [];
    if (name === undefined) continue;
    while (open.length > 0 && open.at(-1)!.indent >= space!.length) open.pop();
    const whole = [...open.map((each) => each.name), name].join('.');
    if (whole === key && value !== '') return value;
    if (value === '') open.push({ indent: space!.length, name });
  }
  return undefined;
}

function springPort(settings: readonly RepositoryFile[]): Known<number> | null {
  const value = Number(springSetting(settings, 'server.port'));
  return Number.isInteger(value) && value >= 1 && value <= 65_535 ? { value, from: settings[0]!.path } : null;
}
