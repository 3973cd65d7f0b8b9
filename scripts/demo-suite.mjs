// The demo as one folder that needs nothing beside it: spec, SQL, Dockerfile and the server as one file.
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServerBundle } from '../fixtures/images/servers.mjs';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const FILES = [
  'suites/demo/wrkbench.yml',
  'servers/rest-node/schema.sql',
  'servers/rest-node/users.sql',
  'servers/rest-node/Dockerfile',
];

/** @param {string} outdir `wrkbench.yml` and what it names are written there. */
export async function writeDemoSuite(outdir) {
  mkdirSync(outdir, { recursive: true });
  for (const file of FILES) copyFileSync(join(FIXTURES, file), join(outdir, basename(file)));
  await buildServerBundle(join(outdir, 'demo-server.cjs'));
}
