import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The innermost folder in node_modules that a bundled file lies in; null for our own. */
function packageFolder(file) {
  // What a plugin loads has its namespace before it.
  const found = /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
  return found === null ? null : found[1];
}

/**
 * The notices of every package that esbuild has bundled, one after the other. One that
 * neither brings a text nor names a licence is listed as such.
 * @param {string[]} files inputs of the bundles, as esbuild's metafile names them
 */
export function noticesOf(files) {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  const notices = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const own = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
    const named = typeof license === 'string' ? `Licence: ${license}.` : 'The package names no licence.';
    const text =
      own === undefined ? `${named} It brings no text of one.` : readFileSync(path.join(folder, own), 'utf8');
    const notice = ['NOTICE', 'NOTICE.txt', 'NOTICE.md'].find((file) => existsSync(path.join(folder, file)));
    const more = notice === undefined ? '' : `\n${readFileSync(path.join(folder, notice), 'utf8')}`;
    return { title: `${name} ${version}`, text: `${text}${more}`.replaceAll('\r\n', '\n').trim() };
  });
  notices.sort((one, other) => (one.title < other.title ? -1 : 1));
  // Many are the same: each text once, under all packages that it is of.
  const titles = new Map();
  for (const { title, text } of notices) titles.set(text, [...(titles.get(text) ?? []), title]);
  const rule = '-'.repeat(80);
  return [...titles].map(([text, own]) => `${rule}\n${own.join('\n')}\n${rule}\n\n${text}\n`).join('\n');
}
