// node scripts/pin.mjs SHA: writes the commit of a release into every `uses: wrkbench/wrkbench…@…` of the workflows, so that
// who copies one gets that very commit. Without an argument it takes HEAD.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sha = process.argv[2] ?? execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
if (!/^[0-9a-f]{40}$/.test(sha)) {
  console.error(`${sha} is no commit: 40 hexadecimal digits are expected.`);
  process.exit(2);
}
for (const folder of ['.github/workflows', 'workflows']) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const before = readFileSync(path, 'utf8');
    const after = before.replaceAll(/(uses: wrkbench\/wrkbench[^@\s]*@)[0-9a-f]{40}/g, `$1${sha}`);
    if (after === before) continue;
    writeFileSync(path, after);
    console.log(path);
  }
}
