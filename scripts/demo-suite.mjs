// The demo as one folder that needs nothing beside it: specs, SQL, Dockerfile and the server as one file.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServerBundle } from '../fixtures/images/servers.mjs';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const FILES = {
  'suites/demo/wrkbench.yml': 'wrkbench.yml',
  'suites/demo-comparison/wrkbench.yml': 'comparison.yml',
  'servers/rest-node/schema.sql': 'schema.sql',
  'servers/rest-node/users.sql': 'users.sql',
  'servers/rest-node/Dockerfile': 'Dockerfile',
};

/** @param {string} outdir both specs and what they name are written there. */
export async function writeDemoSuite(outdir) {
  mkdirSync(outdir, { recursive: true });
  for (const [file, name] of Object.entries(FILES)) copyFileSync(join(FIXTURES, file), join(outdir, name));
  await buildServerBundle(join(outdir, 'demo-server.cjs'));
}
