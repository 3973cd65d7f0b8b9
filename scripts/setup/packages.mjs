// Debian and Ubuntu packages.
import { existsSync, readdirSync } from 'node:fs';
import { lastLine, runAsRoot, runCommand } from './command.mjs';

const APT = 'apt-get -y -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3';

// While this file stands, a package's service is not started on installation: nothing may run beside a measurement.
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy
  trap 'rm -f $policy' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
${APT} install --no-install-recommends "$@"
`;

function haveLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.includes('_Packages'));
  } catch {
    return false;
  }
}

const update = () => runAsRoot('sh', ['-c', `${APT} update`]);
const install = (names) => runAsRoot('sh', ['-c', INSTALL, 'install', ...names]);

const SERVICES = {
  postgresql: 'postgresql',
  nginx: 'nginx',
  'nginx-light': 'nginx',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
};

/** The service of a package that set-up has brought must not come back at the next start of the machine either. */
async function disableService(name) {
  if (!SERVICES[name] || !existsSync('/run/systemd/system')) return;
  await runAsRoot('systemctl', ['disable', '--now', SERVICES[name]], { timeoutSeconds: 30 });
}

/** apt's lists have a lock that it does not wait for: one call at a time. */
let queue = Promise.resolve();

/**
 * Installs packages with one call where possible, else one by one, so that a missing one does not cost the others.
 * @param {string[][]} wanted each a list of names of which the first that exists is taken
 * @returns {Promise<Map<string, string>>} first name of each that could not be installed → why; empty when all are.
 */
export function installPackages(wanted) {
  const result = queue.then(() => installNow(wanted));
  queue = result.catch(() => {});
  return result;
}

async function installNow(wanted) {
  if (!haveLists()) await update();
  const names = await Promise.all(wanted.map(firstThatExists));
  let attempt = await install(names);
  if (!attempt.ok) {
    await update();
    attempt = await install(names);
  }
  const failures = new Map();
  for (const [i, name] of names.entries()) {
    const result = attempt.ok ? attempt : await install([name]);
    if (result.ok) await disableService(name);
    else failures.set(wanted[i][0], lastLine(result.output));
  }
  return failures;
}

async function firstThatExists(names) {
  for (const name of names) if (await packageExists(name)) return name;
  return names[0];
}

/** @returns {Promise<boolean>} whether a package of this name can be had from the sources that are set up. */
export async function packageExists(name) {
  const { ok, output } = await runCommand('apt-cache', ['policy', name]);
  return ok && /Candidate: (?!\(none\))/.test(output);
}
