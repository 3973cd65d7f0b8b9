import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import path from 'node:path';
import type { Ended } from '../../e2e/support/command.ts';

const STORIES = path.resolve('fixtures/journals');

/**
 * Where `npm run journals` has started the test, keeps what replays its story without load, in fixtures/journals/STORY: the journal as it
 * was written, the spec, and what people read of it in the end, which is '' and null where the story does not tell. `out` is the folder
 * of the run, inside that of its spec.
 */
export function keepJournal(story: string, out: string, ended: Pick<Ended, 'status' | 'stdout'>): void {
  if (process.env.WRKBENCH_KEEP_JOURNALS === undefined) return;
  const folder = path.join(STORIES, story);
  rmSync(folder, { recursive: true, force: true });
  const keep = (name: string, text: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, scrubbed(text, out, `${story}/${name}`));
  };
  // The report of a run by itself has nothing in it that the terminal and the fixture records do not show.
  const report = existsSync(path.join(out, 'comparison.json')) ? ['report.md'] : [];
  for (const name of ['journal.jsonl', 'anchor/journal.jsonl', ...report]) {
    if (existsSync(path.join(out, name))) keep(name, readFileSync(path.join(out, name), 'utf8'));
  }
  keep('wrkbench.yml', readFileSync(path.join(out, '../wrkbench.yml'), 'utf8'));
  if (ended.stdout !== '') keep('terminal.txt', ended.stdout);
  if (ended.status !== null) keep('status.json', `{ "status": ${ended.status} }\n`);
}

/**
 * Nothing of this machine but its hardware and its kernel: a journal names programs and folders that only it has. Folders become others
 * of the same length, by which lines are broken.
 */
function scrubbed(text: string, out: string, what: string): string {
  const clean = text
    .replaceAll(path.dirname(out), '/work/'.padEnd(path.dirname(out).length, 'x'))
    .replaceAll(`${path.basename(out)}/report.html`, 'out/report.html')
    .replaceAll(/\/\S*?\/wrkbench-servers-\d+\/(misbehaving|rest-node)-[0-9a-f]+/g, './$1')
    .replaceAll(process.execPath, 'node')
    .replaceAll(/\/tmp\/wrkbench-[\w-]+/g, (folder) => '/tmp/wrkbench-'.padEnd(folder.length, 'x'));
  const own = [path.resolve('.'), homedir(), hostname()].filter((each) => each.length > 3 && clean.includes(each));
  const temporary = clean.match(new RegExp(`${tmpdir()}/(?!wrkbench-x)[\\w./-]+`, 'g')) ?? [];
  if (own.length + temporary.length > 0) {
    throw new Error(`${what} names what is of this machine alone: ${[...own, ...temporary].join(', ')}`);
  }
  return clean;
}
