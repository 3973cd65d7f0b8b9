// Prepares the servers of the suites for the process runtime, without Docker, and does nothing twice:
//
//   node scripts/suites/prepare.mjs [SUITE | SUITE/SERVER …]
//
// A server whose tools are missing is left out, with the command that brings them. Fails where a build fails.
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
let failures = 0;
for (const { name, folder } of servers) {
  const { kind, why } = await prepare(folder);
  announce(`${name}: ${TEXTS[kind]}${why === '' ? '' : `: ${why}`}`);
  if (kind === 'failed') failures += 1;
}
process.exitCode = failures === 0 ? 0 : 1;
