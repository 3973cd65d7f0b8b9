/** A step that makes the tables of a service and that nothing runs which was read. */
import type { ComposeService } from './compose.ts';
import type { JobSign } from './dependencies.ts';
import type { Recipe } from './dockerfile.ts';
import { isComposeFile, type RepositoryFile, within } from './files.ts';
import type { Program } from './programs/program.ts';

interface Tool {
  /** The file that shows it, in the folder of the program. */
  shownBy: RegExp;
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
    command: () => ['alembic', 'upgrade', 'head'],
  },
  {
    shownBy: /^manage\.py$/,
    run: /manage\.py[^\n]{0,20}\bmigrate\b|\bcall_command\(\s*['"]migrate/,
    command: () => ['python', 'manage.py', 'migrate', '--noinput'],
  },
];

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
  const own = inside.map(({ path }) => ({ path, inside: within(program.folder, path) }));
  const found = TOOLS.map((tool) => ({ tool, file: own.find(({ inside }) => tool.shownBy.test(inside)) }));
  const shown = found.filter(({ file }) => file !== undefined);
  const [first] = shown;
  if (first === undefined) return null;
  // What a script does itself is no reason to think that somebody runs it.
  const others = files.filter(({ path }) => mayRun(path) && path !== first.file!.path);
  const words = [compose?.entrypoint, compose?.command].flatMap((part) => part ?? []).join(' ');
  const texts = [recipe.content, words, ...others.map(({ content }) => content)];
  if (shown.some(({ tool }) => texts.some((text) => tool.run.test(text)))) return null;
  const { path, inside: place } = first.file!;
  return { key: '', from: path, command: first.tool.command(place), entrypoint: null, image: null, env: {} };
}

/** Scripts, code and the like; not what only names commands for people. */
function mayRun(path: string): boolean {
  return (
    /\.(?:sh|py|js|ts|toml|ini|yml|yaml)$|(?:^|\/)(?:Dockerfile[\w.-]*|Procfile|package\.json)$/.test(path) &&
    !isTest(path)
  );
}

function isTest(path: string): boolean {
  return !isComposeFile(path) && /(?:^|[/_-])tests?[/_.-]/.test(path);
}
