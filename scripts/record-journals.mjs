// npm run journals [-- -t TITLE]: records the journals anew that tests/unit/run/journals.test.ts replays, of the stories in tests/full
// that are kept (`keepJournal`), or of those with that in their title. Wants what `npm test` wants, a quiet machine, and some ten
// minutes. Each test asserts what it always does; what it leaves goes to fixtures/journals/STORY:
//
//     journal.jsonl    as the run wrote it, but for paths of this machine
//     wrkbench.yml     its spec
//     terminal.txt     what it printed, report.md: what it wrote, status.json: what it ended with
//
// Review: `git diff fixtures/journals`. Only figures may have changed in terminal.txt and report.md, unless the product has. The replay
// must give the very same texts: `npx vitest run --project unit tests/unit/run/journals.test.ts`. After a change of what people read,
// `-u` writes them from the journals as they are, without recording anything.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KEPT = path.join(ROOT, 'fixtures/journals');
/** All of them; what is larger is no longer read in review. */
const MOST_BYTES = 1_000_000;

const call = ['vitest', 'run', '--project', 'full-serial', ...process.argv.slice(2)];
const env = { ...process.env, WRKBENCH_KEEP_JOURNALS: '1' };
const { status } = spawnSync('npx', call, { cwd: ROOT, env, stdio: 'inherit' });

const files = readdirSync(KEPT, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
console.log(`fixtures/journals: ${readdirSync(KEPT).length} stories, ${Math.round(bytes / 1000)} kB`);
if (bytes > MOST_BYTES) console.error(`They may have ${MOST_BYTES / 1000} kB: shorten a story, or keep fewer.`);
process.exit(bytes > MOST_BYTES ? 1 : (status ?? 1));
