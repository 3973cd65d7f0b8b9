// The servers of the suites: folders of fixtures/suites/SUITE/servers.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITES = fileURLToPath(new URL('../../fixtures/suites/', import.meta.url));

/** @typedef {{name: string, folder: string}} Server `name` is SUITE/SERVER */

/** @returns {Server[]} all of them, by name. */
function allServers() {
  return foldersIn(SUITES).flatMap((suite) =>
    foldersIn(join(SUITES, suite, 'servers')).map((server) => ({
      name: `${suite}/${server}`,
      folder: join(SUITES, suite, 'servers', server),
    })),
  );
}

/**
 * @param {string[]} names each a suite or SUITE/SERVER; none means all.
 * @returns {Server[]} Throws for a name that fits none.
 */
export function serversNamed(names) {
  const all = allServers();
  const unknown = names.find((name) => !all.some((server) => fits(server, name)));
  if (unknown !== undefined) {
    const known = [...new Set(all.map((server) => server.name.split('/')[0]))].join(', ');
    throw new Error(`There is no suite or server ${unknown}: name one of ${known}, or SUITE/SERVER.`);
  }
  return names.length === 0 ? all : all.filter((server) => names.some((name) => fits(server, name)));
}

function fits(server, name) {
  return server.name === name || server.name.startsWith(`${name}/`);
}

function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}
