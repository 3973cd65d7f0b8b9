import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const DEBIAN = 'wrkbench-fixture/debian:bookworm';

interface StandIn {
  /** Fixture image below it, as fixtures/images/build.mjs knows it. */
  fixture: string;
  dockerfile: string;
  prepare?(context: string): void;
}

const NODE: StandIn = {
  fixture: 'node',
  dockerfile: `FROM wrkbench-fixture/node:latest
COPY npm /usr/local/lib/node_modules/npm
COPY certificates.pem ${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
`,
  prepare(context) {
    const root = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
    cpSync(path.join(root, 'npm'), path.join(context, 'npm'), { recursive: true });
  },
};

const PYTHON: StandIn = {
  fixture: 'debian',
  dockerfile: `FROM ${DEBIAN}
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-pip && apt-get clean \\
  && rm -f /usr/lib/python3*/EXTERNALLY-MANAGED && ln -s python3 /usr/bin/python
COPY certificates.pem ${CERTIFICATES}
ENV PIP_CERT=${CERTIFICATES}
`,
};

/** Image that a Dockerfile or a spec names → what stands in for it where no registry answers. */
const STAND_INS: Record<string, StandIn> = {
  'node:22-slim': NODE,
  'python:3.12-slim': PYTHON,
  'golang:1.26': { fixture: 'go', dockerfile: 'FROM wrkbench-fixture/go:latest\n' },
  'gcr.io/distroless/static-debian12': { fixture: 'debian', dockerfile: `FROM ${DEBIAN}\n` },
  'postgres:18': { fixture: 'postgres', dockerfile: 'FROM wrkbench-fixture/postgres:15\n' },
  'postgres:16-alpine': { fixture: 'postgres', dockerfile: 'FROM wrkbench-fixture/postgres:15\n' },
  'edoburu/pgbouncer:v1.24.1-p1': { fixture: 'pgbouncer', dockerfile: 'FROM wrkbench-fixture/pgbouncer:latest\n' },
};

export interface Images {
  /** Those that something else stands in for. */
  standIns: string[];
  /** Takes the names away again: nobody else is to build on a stand-in. */
  remove(): void;
}

/**
 * Has the images that Dockerfiles start from: those that are here, else those that a registry gives, else stand-ins of this
 * machine's own programs under the same name. A stand-in has other versions than its name says.
 */
export function baseImages(names: readonly string[], say: (line: string) => void): Images {
  const standIns: string[] = [];
  for (const name of [...new Set(names)]) {
    if (docker(['image', 'inspect', name]) || docker(['pull', '--quiet', name])) continue;
    const standIn = STAND_INS[name];
    if (standIn === undefined) throw new Error(`no stand-in is known for ${name}`);
    say(`${name} cannot be pulled: making a stand-in`);
    make(name, standIn);
    standIns.push(name);
  }
  return {
    standIns,
    remove() {
      for (const name of standIns) docker(['image', 'rm', '--no-prune', name]);
    },
  };
}

function make(name: string, { fixture, dockerfile, prepare }: StandIn): void {
  execFileSync('node', ['fixtures/images/build.mjs', fixture], { stdio: ['ignore', 'ignore', 'inherit'] });
  const context = mkdtempSync(path.join(tmpdir(), 'wrkbench-stand-in-'));
  try {
    // A build inside trusts whom this machine trusts.
    if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, path.join(context, 'certificates.pem'), { dereference: true });
    else writeFileSync(path.join(context, 'certificates.pem'), '');
    prepare?.(context);
    writeFileSync(path.join(context, 'Dockerfile'), dockerfile);
    execFileSync('docker', ['build', '--quiet', '--force-rm', '--tag', name, context], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

function docker(args: string[]): boolean {
  try {
    execFileSync('docker', args, { stdio: 'ignore', timeout: 120_000 });
    return true;
  } catch {
    return false;
  }
}
