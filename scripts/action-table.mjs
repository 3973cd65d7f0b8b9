// Writes the tables of inputs and outputs in docs/action.md from action.yml. With --check it writes nothing and exits 1 where
// they are not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const PAGE = 'docs/action.md';
const { inputs, outputs } = parse(readFileSync('action.yml', 'utf8'));

const cell = (text) => text.trim().replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
const shownDefault = (value) => (value === undefined || value === '' ? '' : `\`${cell(String(value))}\``);
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const tables = {
  inputs: table(
    ['input', 'default', 'meaning'],
    Object.entries(inputs).map(([name, { description, default: value }]) => [
      `\`${name}\``,
      shownDefault(value),
      cell(description),
    ]),
  ),
  outputs: table(
    ['output', 'meaning'],
    Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, cell(description)]),
  ),
};

const before = readFileSync(PAGE, 'utf8');
const after = Object.entries(tables).reduce((text, [name, content]) => {
  const markers = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!markers.test(text)) throw new Error(`${PAGE} has no <!-- ${name} --> … <!-- /${name} -->`);
  return text.replace(markers, (_, open, close) => `${open}${content}\n${close}`);
}, before);

if (!process.argv.includes('--check')) {
  if (after !== before) writeFileSync(PAGE, after);
  console.log(after === before ? 'nothing has changed' : `written: ${PAGE}`);
} else if (after !== before) {
  console.error(`${PAGE} is not what action.yml makes of it: run \`node scripts/action-table.mjs\` and commit.`);
  process.exitCode = 1;
} else {
  console.log(`The tables of ${PAGE} are up to date`);
}
