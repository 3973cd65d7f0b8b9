// What set-up brings as packages, for whom, and what is lost without it.
import { existsSync } from 'node:fs';
import { CERTIFICATES } from './download.mjs';
import { findProgram } from './machine.mjs';

/**
 * `packages`: names of which the first that exists is taken. `without`: what cannot be done where it is missing.
 * @typedef {{name: string, present: () => boolean, packages: string[], why: string, without: string,
 *   profiles: ('demo' | 'test')[]}} Tool
 */

const program =
  (...names) =>
  () =>
    findProgram(...names) !== null;

/** @type {Tool[]} */
export const TOOLS = [
  {
    name: 'ca-certificates',
    present: () => existsSync(CERTIFICATES),
    packages: ['ca-certificates'],
    why: 'downloads are checked against them',
    without: 'Go modules cannot be fetched',
    profiles: ['demo', 'test'],
  },
  {
    name: 'wrk',
    present: program('wrk'),
    packages: ['wrk'],
    why: 'generates load and finds the capacity',
    without: 'no throughput can be measured',
    profiles: ['demo', 'test'],
  },
  {
    name: 'ab',
    present: program('ab'),
    packages: ['apache2-utils'],
    why: 'the third load generator',
    without: 'cases with ab cannot be measured',
    profiles: ['test'],
  },
  {
    name: 'h2load',
    present: program('h2load'),
    packages: ['nghttp2-client'],
    why: 'the fourth load generator, which speaks HTTP/2 too',
    without: 'cases with h2load cannot be measured',
    profiles: ['test'],
  },
  {
    name: 'perf',
    present: program('perf'),
    packages: ['linux-perf', 'linux-tools-generic'],
    why: 'counts system calls',
    without: 'tests of the count of system calls cannot run',
    profiles: ['test'],
  },
  {
    name: 'postgres',
    present: program('postgres'),
    packages: ['postgresql'],
    why: 'a local database server',
    without: 'tests with a local database cannot run',
    profiles: ['test'],
  },
  {
    name: 'pgbouncer',
    present: program('pgbouncer'),
    packages: ['pgbouncer'],
    why: 'the pooler of the process runtime',
    without: 'tests with a pooler cannot run',
    profiles: ['test'],
  },
  {
    name: 'redis',
    present: program('redis-server'),
    packages: ['redis-server'],
    why: 'a dependency of the process runtime',
    without: 'tests with a dependency cannot run',
    profiles: ['test'],
  },
  {
    name: 'nginx',
    present: program('nginx'),
    packages: ['nginx-light', 'nginx'],
    why: 'the gateway of the process runtime',
    without: 'tests with a gateway cannot run',
    profiles: ['test'],
  },
  {
    name: 'g++',
    present: () => program('g++')() && program('make')(),
    packages: ['build-essential'],
    why: 'builds a server of the suites',
    without: 'tests of the servers of the suites cannot run',
    profiles: ['test'],
  },
  {
    name: 'python',
    present: program('python3'),
    packages: ['python3-venv'],
    why: 'runs servers of the suites',
    without: 'tests of the servers of the suites in Python cannot run',
    profiles: ['test'],
  },
  {
    name: 'chromium',
    present: program('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'),
    packages: ['chromium'],
    why: 'the report is looked at in a real browser',
    without: 'tests of the HTML report cannot run',
    profiles: ['test'],
  },
  {
    name: 'debootstrap',
    present: program('debootstrap'),
    packages: ['debootstrap'],
    why: 'makes images where no registry can be reached',
    without: 'test images can only be made where a registry answers',
    profiles: ['test'],
  },
];

/** Only where no engine answers yet. @type {Tool[]} */
export const ENGINE_TOOLS = [
  {
    name: 'dockerd',
    present: program('dockerd'),
    packages: ['docker.io'],
    why: 'tests run real containers',
    without: 'tests with containers cannot run',
    profiles: ['test'],
  },
  {
    name: 'docker',
    present: program('docker'),
    packages: ['docker-cli', 'docker.io'],
    why: 'the command line of the engine',
    without: 'tests with containers cannot run',
    profiles: ['test'],
  },
  {
    name: 'iptables',
    present: program('iptables'),
    packages: ['iptables'],
    why: 'the engine makes its networks with it',
    without: 'the engine does not start',
    profiles: ['test'],
  },
];
