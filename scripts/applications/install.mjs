// Installs a release of an application that others wrote, from its package registry, and makes its fixture use it:
//
//   node scripts/applications/install.mjs NAME [RELEASE] [--slower]
//
// NAME is a folder of fixtures/applications; without RELEASE it is the older of the two that the fixture compares. `--slower` changes the
// one line that slower.json names. Prints the folder. Does nothing twice; exit status 2 where the call is wrong, 3 where it failed.
import '../setup/new-enough-node.mjs';
import { announce } from '../setup/announcement.mjs';
import { applicationNamed, releaseOf } from './catalogue.mjs';
import { install, use } from './installation.mjs';
import { InstallationError } from './installation-error.mjs';

const words = process.argv.slice(2);
const isSlower = words.includes('--slower');
const [name = '', release] = words.filter((word) => word !== '--slower');

try {
  const application = applicationNamed(name);
  const folder = await install(application, releaseOf(application, release), isSlower);
  use(application, folder);
  process.stdout.write(`${folder}\n`);
} catch (error) {
  if (!(error instanceof InstallationError)) throw error;
  announce(error.message);
  process.exitCode = error.status;
}
