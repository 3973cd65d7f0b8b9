// Prepares the servers of the suites for the process runtime, without Docker, and does nothing twice:
//
//   node scripts/suites/prepare.mjs [SUITE | SUITE/SERVER …]
//
// A server whose tools are missing is left out, with the command that brings them. Fails where a build fails.
import { availableParallelism } from 'node:os';
import { announce } from '../setup/announcement.mjs';
import { prepare } from './preparation.mjs';
import { serversNamed } from './servers.mjs';

const TEXTS = {
  nothing: 'nothing to prepare',
  current: 'ready',
  prepared: 'prepared',
  'left-out': 'left out',
  failed: 'FAILED',
};

let servers = [];
try {
  servers = serversNamed(process.argv.slice(2));
} catch (error) {
  announce(error.message);
  process.exit(2);
}
/** Nobody measures meanwhile, and much of it waits for downloads: each CPU takes the next one that is left. */
const left = servers.values();
let failures = 0;
async function prepareLeft() {
  for (const { name, folder } of left) {
    const { kind, why } = await prepare(folder);
    announce(`${name}: ${TEXTS[kind]}${why === '' ? '' : `: ${why}`}`);
    if (kind === 'failed') failures += 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, prepareLeft));
process.exitCode = failures === 0 ? 0 : 1;
