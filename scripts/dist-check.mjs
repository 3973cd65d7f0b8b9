// Fails where dist/ is not what the sources give: builds into a temporary folder and compares byte for byte.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {Map<string, Buffer>} path below the folder → content */
function filesBelow(folder) {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
}

const fresh = mkdtempSync(join(tmpdir(), 'wrkbench-dist-'));
let differences;
try {
  const build = spawnSync(process.execPath, ['scripts/build.mjs', fresh], { cwd: root, stdio: 'inherit' });
  if (build.status !== 0) process.exit(1);
  const expected = filesBelow(fresh);
  const committed = filesBelow(join(root, 'dist'));
  differences = [...new Set([...expected.keys(), ...committed.keys()])].filter((name) => {
    const [a, b] = [expected.get(name), committed.get(name)];
    return a === undefined || b === undefined || !a.equals(b);
  });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

if (differences.length > 0) {
  process.stderr.write(
    `dist/ is not what the sources give: ${differences.join(', ')}. Run npm run build and commit it.\n`,
  );
  process.exitCode = 1;
}
