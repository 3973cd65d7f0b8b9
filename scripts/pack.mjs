// node scripts/pack.mjs strip | restore: what `npm pack` calls before and after. The bundles of dist/ hold all that they need, so
// that the packed package.json names no dependency, and installing it asks no registry for more.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const OWN = 'package.json';
const KEPT = 'package.json.unpacked';
const LEFT_OUT = ['scripts', 'dependencies', 'devDependencies', 'optionalDependencies', 'overrides'];

const [step] = process.argv.slice(2);
if (step === 'strip') {
  // Left by a packing that was interrupted.
  if (existsSync(KEPT)) renameSync(KEPT, OWN);
  const text = readFileSync(OWN, 'utf8');
  const packed = JSON.parse(text);
  for (const key of LEFT_OUT) delete packed[key];
  writeFileSync(KEPT, text);
  writeFileSync(OWN, `${JSON.stringify(packed, null, 2)}\n`);
} else if (step === 'restore') {
  renameSync(KEPT, OWN);
} else {
  console.error('Expected strip or restore.');
  process.exitCode = 2;
}
