import { execFileSync } from 'node:child_process';
import http from 'node:http';
import type { TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Database, ResolvedSpec, Service } from '../../../src/core/config/resolved.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { cgroupsOfRun } from '../../support/cgroup-folders.ts';
import { plainDatabase, plainService, plainSpec } from '../../support/testbed-specs.ts';

/** Images of `fixtures/images`, which the setup builds. */
export const MISBEHAVING = 'wrkbench-fixture/misbehaving:latest';
export const POSTGRES = 'wrkbench-fixture/postgres:15';
export const PGBOUNCER = 'wrkbench-fixture/pgbouncer:latest';
export const NGINX = 'wrkbench-fixture/nginx:latest';
const REST_NODE = 'wrkbench-fixture/rest-node:latest';

/** Brings fixture images up to date, by the script that the setup uses. */
export function buildFixtureImages(...names: string[]): void {
  execFileSync('node', ['fixtures/images/build.mjs', ...names], { stdio: 'pipe', timeout: 170_000 });
}

export const serviceWith = (changes: Partial<Service> = {}): Service =>
  plainService({ image: { kind: 'image', reference: MISBEHAVING }, command: null }, changes);

export const databaseWith = (changes: Partial<Database> = {}): Database => plainDatabase(POSTGRES, changes);

export const specWith = plainSpec;

/** Unique in this process and over repeated runs. */
export function newRunId(): string {
  return `test-${process.pid}-${Date.now().toString(36)}`;
}

/** The engine's: `cgroupfs` or `systemd`. */
export function cgroupDriver(): string {
  return docker('info', '--format', '{{.CgroupDriver}}').trim();
}

/** Parent cgroup that a testbed of the service `service` must have under this engine. */
export function expectedParent(runId: string, service: string, variant: Variant = 'candidate'): string {
  if (cgroupDriver() === 'systemd') return `wrkbench-${variant}_1.slice`;
  return process.getuid?.() === 0 ? `/wrkbench/wrkbench-${runId}-${service}-${variant}-1` : `/wrkbench/${variant}_1`;
}

export function requestFor(runId: string, spec: ResolvedSpec, changes: Partial<TestbedRequest> = {}): TestbedRequest {
  const service = changes.service ?? spec.services[0];
  if (!service) throw new Error('A testbed needs a service.');
  const { image } = service;
  return {
    runId,
    spec,
    service,
    variant: 'candidate',
    round: 1,
    placement: { service: '0', database: '0', generator: '1' },
    specDirectory: process.cwd(),
    artifact: image?.kind === 'image' ? imageId(image.reference) : '',
    ...changes,
  };
}

export function imageId(reference: string): string {
  return docker('image', 'inspect', '--format', '{{.Id}}', reference).trim();
}

export function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Names of all containers, networks and cgroup folders of a run that are there. */
export function thingsOf(runId: string): string[] {
  const filter = ['--filter', `label=wrkbench.run=${runId}`];
  const containers = docker('container', 'ls', '--all', ...filter, '--format', '{{.Names}}');
  const networks = docker('network', 'ls', ...filter, '--format', '{{.Name}}');
  const volumes = docker('volume', 'ls', ...filter, '--format', '{{.Name}}');
  const ofEngine = [containers, networks, volumes].flatMap((text) => text.split('\n')).filter((line) => line !== '');
  return [...ofEngine, ...cgroupsOfRun(runId)];
}

/** The bundled example, beside a database; its SQL lies in `REST_FOLDER`. */
export const restService = (): Service =>
  serviceWith({
    name: 'rest',
    image: { kind: 'image', reference: REST_NODE },
    env: { DATABASE_URL: '${database.url}', POOL_MAX: '4', PORT: '${port}' },
  });
export const REST_FOLDER = `${process.cwd()}/fixtures/servers/rest-node`;

export const never = (): AbortSignal => new AbortController().signal;

/** Status of one request on a connection of its own. */
export function askOnce(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    request.on('error', reject);
  });
}
