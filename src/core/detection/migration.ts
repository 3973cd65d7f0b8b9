/** What makes the tables of a service, where nothing runs it that was read: SQL for its database, or a step before its start. */
import type { ComposeService } from './compose.ts';
import type { JobSign } from './dependencies.ts';
import type { Recipe } from './dockerfile.ts';
import { mapOf } from './file-map.ts';
import { asMap, isComposeFile, nameOf, type RepositoryFile, within } from './files.ts';
import type { Program } from './programs/program.ts';

interface Tool {
  /** The file that shows it, in the folder of the program. */
  shownBy: RegExp;
  /** What is in that file, where others have one of its name. */
  holding?: RegExp;
  /** What would be found where somebody runs it. */
  run: RegExp;
  command(path: string): string[];
}

const TOOLS: readonly Tool[] = [
  {
    shownBy: /^(?:scripts\/|bin\/)?(?:prestart|migrate|migrations?)\.sh$/,
    run: /(?:prestart|migrate|migrations?)\.sh/,
    command: (path) => ['bash', path],
  },
  {
    shownBy: /^alembic\.ini$/,
    run: /\balembic\b[^\n]{0,100}\bupgrade\b/,
    // In the plural: a repository may have several branches of them.
    command: () => ['alembic', 'upgrade', 'heads'],
  },
  {
    shownBy: /^manage\.py$/,
    holding: /\bdjango\b/i,
    run: /manage\.py[^\n]{0,20}\bmigrate\b|\bcall_command\(\s*['"]migrate/,
    command: () => ['python', 'manage.py', 'migrate', '--noinput'],
  },
  {
    shownBy: /^migrations\/env\.py$/,
    run: /\bflask\b[^\n]{0,40}\bdb\b[^\n]{0,10}\bupgrade\b|\bcreate_all\(|\bflask_migrate\b[^\n]{0,60}\bupgrade\b/,
    command: () => ['flask', 'db', 'upgrade'],
  },
  {
    // https://tortoise.github.io/aerich: each step is a file of Python below a folder for each application.
    shownBy: /^migrations\/\w+\/\d+_\w+\.py$/,
    holding: /\bupgrade\(\s*db\b/,
    run: /\baerich\b[^\n]{0,40}\bupgrade\b|\bgenerate_schemas\s*=\s*True\b/,
    command: () => ['aerich', 'upgrade'],
  },
  {
    shownBy: /^config\/application\.rb$/,
    // The entry point that Rails writes itself prepares the database.
    run: /\bdb:(?:migrate|prepare|schema:load|setup)\b|bin\/docker-entrypoint/,
    command: () => ['bundle', 'exec', 'rails', 'db:prepare'],
  },
  {
    shownBy: /^artisan$/,
    run: /\bartisan\b[^\n]{0,20}\bmigrate\b|\bcall\(\s*['"]migrate/,
    command: () => ['php', 'artisan', 'migrate', '--force'],
  },
  {
    shownBy: /^knexfile\.[cm]?[jt]s$/,
    run: /\bmigrate:latest\b|\bmigrate\s*\.\s*latest\(/,
    command: () => ['npx', 'knex', 'migrate:latest'],
  },
];

/** Steps forward that a tool runs one after the other, as plain SQL: what the tool keeps of it nothing else reads. */
interface SqlSteps {
  /** Of a file in the folder of the program; its first group is the folder of all steps. */
  step: RegExp;
  /** After the first group of that. */
  glob: string;
  run: RegExp;
}

const SQL_STEPS: readonly SqlSteps[] = [
  {
    // https://www.prisma.io/docs/orm/prisma-migrate/understanding-prisma-migrate/migration-histories
    step: /^((?:.*\/)?migrations\/)[\w-]+\/migration\.sql$/,
    glob: '*/migration.sql',
    run: /\bprisma\b[^\n]{0,40}\b(?:migrate['",\s]+(?:deploy|dev|reset)|db['",\s]+push)\b/,
  },
  {
    step: /^((?:.*\/)?(?:migrations?|migrate|schema|db)\/)\d+_[\w-]+\.up\.sql$/,
    glob: '*.up.sql',
    run: /golang-migrate\/migrate|\bmigrate!\(|\bNewMigrator\b|go:embed[^\n]*\bsql\b|\bmigrate\b[^\n]{0,80}\bup\b|['"`/](?:migrations?|schema)['"`/]/,
  },
  {
    // sqlx, Drizzle. Code that names the folder reads it.
    step: /^((?:.*\/)?(?:migrations|drizzle)\/)\d+_[\w-]+\.sql$/,
    glob: '*.sql',
    run: /\bmigrate!?\(|\bsqlx\b[^\n]{0,20}\b(?:migrate['",\s]+run|database['",\s]+(?:setup|reset))\b|\bdrizzle-kit['",\s]+(?:migrate|push)\b|go:embed[^\n]*\bsql\b|['"`/]migrations['"`/]/,
  },
];

/** Files that make its database before the service starts, by a glob for those to come; null where something runs them, or there are none. */
export function migrationSql(
  program: Program | null,
  recipe: Recipe | null,
  compose: ComposeService | null,
  files: readonly RepositoryFile[],
): string | null {
  if (program === null) return null;
  const own = program.files.filter(({ content }) => !isTwoWay(content)).map(({ path }) => within(program.folder, path));
  for (const { step, glob, run } of SQL_STEPS) {
    const folder = own.map((path) => step.exec(path)?.[1]).find((found) => found !== undefined);
    if (folder === undefined) continue;
    const texts = textsThatRun(recipe, compose, files, '');
    return texts.some((text) => run.test(text)) ? null : `${prefixOf(program.folder)}${folder}${glob}`;
  }
  return null;
}

/** Both directions in one file, which only the tool can tell apart. */
function isTwoWay(content: string): boolean {
  return /^--\s*(?:\+(?:goose|migrate)\b|migrate:(?:up|down))/im.test(content.slice(0, 100_000));
}

function prefixOf(folder: string): string {
  return folder === '.' ? '' : `${folder}/`;
}

/** Null where something runs it, or nothing is there to be run. In an image alone: elsewhere it is run by hand, as the program is. */
export function migrationOf(
  program: Program | null,
  recipe: Recipe | null,
  compose: ComposeService | null,
  files: readonly RepositoryFile[],
): JobSign | null {
  if (program === null || recipe?.copiesCode !== true) return null;
  // One that starts containers is for the machine of somebody who writes the program.
  const inside = program.files.filter(({ path, content }) => !path.endsWith('.sh') || !/\bdocker\b/.test(content));
  const own = inside.map(({ path, content }) => ({ path, content, inside: within(program.folder, path) }));
  const isOf = (tool: Tool) => (file: (typeof own)[number]) =>
    tool.shownBy.test(file.inside) && tool.holding?.test(file.content) !== false;
  const found = TOOLS.map((tool) => ({ tool, file: own.find(isOf(tool)) }));
  const shown = found.filter(({ file }) => file !== undefined);
  const [first] = shown;
  if (first === undefined) return null;
  // What a script does itself is no reason to think that somebody runs it.
  const texts = textsThatRun(recipe, compose, files, first.file!.path);
  if (shown.some(({ tool }) => texts.some((text) => tool.run.test(text)))) return null;
  const { path, inside: place } = first.file!;
  return { key: '', from: path, command: first.tool.command(place), entrypoint: null, image: null, env: {} };
}

/** What is run as an image is made or started, and the code; `apart` from a file. */
function textsThatRun(
  recipe: Recipe | null,
  compose: ComposeService | null,
  files: readonly RepositoryFile[],
  apart: string,
): string[] {
  const words = [compose?.entrypoint, compose?.command].flatMap((part) => part ?? []).join(' ');
  const code = files.filter(({ path }) => mayRun(path) && path !== apart).map(({ content }) => content);
  const texts = [recipe?.content ?? '', words, ...code];
  let open = files.filter(({ path }) => path !== apart).flatMap(scriptsOf);
  for (let before = -1; before !== open.length; ) {
    before = open.length;
    const run = open.filter(({ isRun }) => texts.some((text) => isRun(text)));
    texts.push(...run.map(({ text }) => text));
    open = open.filter((each) => !run.includes(each));
  }
  return texts;
}

/** What is run only where something else names it: by a file that is, by a name in a package.json. */
interface Script {
  text: string;
  isRun(text: string): boolean;
}

function scriptsOf(file: RepositoryFile): Script[] {
  const called = nameOf(file.path);
  if (called.endsWith('.sh')) {
    const isEntry = /entrypoint/.test(called);
    return [{ text: file.content, isRun: (text) => isEntry || text.includes(called) }];
  }
  if (called !== 'package.json') return [];
  return Object.entries(asMap(mapOf(file).scripts)).map(([name, text]) => {
    const asked = name.replace(/^(?:pre|post)/, '');
    // An image without a command of its own is started so by people, and a spec starts it so.
    const isStart = /^start(?::prod(?:uction)?)?$/.test(asked);
    return { text: String(text), isRun: (other) => isStart || runs(other, asked) };
  });
}

/** `npm run migrate`, `yarn migrate`, `run-s check-db migrate`. */
function runs(text: string, script: string): boolean {
  const name = script.replaceAll(/[^\w-]/g, (character) => `\\${character}`);
  return new RegExp(
    `\\b(?:npm|yarn|pnpm|bun|npm-run-all|run-s|run-p)\\b[^\\n]{0,200}(?<![\\w:-])${name}(?![\\w:-])`,
  ).test(text);
}

/** Code and the like; not what only names commands for people. */
function mayRun(path: string): boolean {
  return (
    /\.(?:py|[cm]?[jt]s|go|rs|rb|php|toml|ini|yml|yaml)$|(?:^|\/)(?:Dockerfile[\w.-]*|Procfile)$/.test(path) &&
    !isTest(path)
  );
}

function isTest(path: string): boolean {
  return !isComposeFile(path) && /(?:^|[/_-])tests?[/_.-]/.test(path);
}
