// needs: engine
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { registryPasswords, useLogins } from '../../../src/adapters/docker/logins.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { type PrivateRegistry, privateRegistry } from '../../support/private-registry.ts';
import {
  buildFixtureImages,
  databaseWith,
  docker,
  MISBEHAVING,
  never,
  newRunId,
  serviceWith,
  specWith,
} from './given.ts';

const LOGIN = { username: 'acme-bot', password: 'p4ss:of-the-registry' };
let registry: PrivateRegistry;
let machine = '';

beforeAll(async () => {
  buildFixtureImages('misbehaving');
  registry = await privateRegistry(MISBEHAVING, LOGIN);
});
afterAll(() => registry.close());
afterEach(() => {
  execFileSync('docker', ['image', 'rm', '--force', registry.reference], { stdio: 'ignore' });
  rmSync(machine, { recursive: true, force: true });
});

/** The environment of a machine whose `docker` command has this configuration, and this helper beside it. */
function machineWith(config: object, helper?: { name: string; source: string }): Record<string, string | undefined> {
  machine = mkdtempSync(path.join(tmpdir(), 'wrkbench-test-'));
  const folder = path.join(machine, 'docker');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  mkdirSync(path.join(folder, 'contexts'));
  if (helper) writeFileSync(path.join(machine, `docker-credential-${helper.name}`), helper.source, { mode: 0o755 });
  return { ...process.env, PATH: `${machine}:${process.env.PATH}`, DOCKER_CONFIG: folder };
}

const auth = (password: string) => Buffer.from(`${LOGIN.username}:${password}`).toString('base64');
const loggedIn = (password = LOGIN.password) => ({ auths: { [registry.host]: { auth: auth(password) } } });

/** Why the private image was not had as the service's, or null; `image`: another source of it. */
async function failureIn(
  environment: Record<string, string | undefined>,
  changes: object = {},
): Promise<string | null> {
  const image = { kind: 'image', reference: registry.reference } as const;
  const {
    database,
    specDirectory = '/',
    ...own
  } = changes as { database?: ReturnType<typeof databaseWith>; specDirectory?: string };
  const spec = specWith(serviceWith({ image, ...own }), database ? { database } : {});
  const request = { runId: newRunId(), spec, services: spec.services, specDirectory, onLine: () => {} };
  const [prepared] = await dockerRuntime({ environment }).prepare(request, never());
  return prepared!.failure === null ? null : `${prepared!.failure.code}: ${prepared!.failure.message}`;
}

const WANTED = () =>
  `its registry ${registry.host} requires a login, and there is none: give one (\`docker login ${registry.host}\`; in a workflow, ` +
  'the input `registries`, of which a pull request from a fork gets nothing). The engine says: docker ';

describe('an image of a registry that requires a login', () => {
  it('is pulled with the login of the machine, as `docker login` leaves it', async () => {
    expect(await failureIn(machineWith(loggedIn()))).toBeNull();
  });

  it('is pulled with what a credential helper has', async () => {
    const source = `#!/bin/sh\necho '{"ServerURL":"${registry.host}","Username":"${LOGIN.username}","Secret":"${LOGIN.password}"}'\n`;
    const environment = machineWith({ credHelpers: { [registry.host]: 'made-up' } }, { name: 'made-up', source });
    expect(await failureIn(environment)).toBeNull();
  });

  it('is not had without one: which image, which registry, and how to give it one', async () => {
    const failure = await failureIn(machineWith({}));
    expect(failure).toContain(`image-unavailable: The image ${registry.reference} cannot be pulled: ${WANTED()}`);
  });

  it('is not had with a wrong one, which is said to be refused', async () => {
    const failure = await failureIn(machineWith(loggedIn('not-the-one')));
    expect(failure).toContain(
      `The image ${registry.reference} cannot be pulled: its registry ${registry.host} refuses the login that it was given: ` +
        `correct the name of the image, or give a login that may pull it (\`docker login ${registry.host}\`; in a workflow, the input \`registries\`).`,
    );
    expect(failure).not.toContain('not-the-one');
  });

  it('is named by its part where it is not a service', async () => {
    const failure = await failureIn(machineWith({}), { database: databaseWith({ image: registry.reference }) });
    expect(failure).toContain(
      `The image of the database is missing. The image ${registry.reference} cannot be pulled: ${WANTED()}`,
    );
  });

  it('is what a build begins with, with a login and without', async () => {
    const environment = machineWith(loggedIn());
    const specDirectory = path.join(machine, 'project');
    mkdirSync(specDirectory);
    writeFileSync(path.join(specDirectory, 'Dockerfile'), `FROM ${registry.reference}\nENV BUILT=${registry.host}\n`);
    const image = { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} } as const;
    expect(await failureIn(environment, { image, specDirectory })).toBeNull();
    docker('image', 'rm', '--force', 'wrkbench-build/testbed-test/plain:latest', registry.reference);
    writeFileSync(path.join(environment.DOCKER_CONFIG!, 'config.json'), '{}');
    expect(await failureIn(environment, { image, specDirectory })).toContain(
      `build-failed: The image of service plain cannot be built: it begins with ${registry.reference}, which cannot be pulled: ${WANTED()}`,
    );
  });
});

describe('logins of a job', () => {
  it('count beside all that the machine has, and win over its helper', async () => {
    const environment = machineWith(
      { ...{ credsStore: 'none-there', currentContext: 'default' }, auths: { 'ghcr.io': { auth: auth('other') } } },
      { name: 'none-there', source: '#!/bin/sh\nexit 1\n' },
    );
    const { DOCKER_CONFIG: before } = environment;
    const asWritten = readFileSync(path.join(before!, 'config.json'), 'utf8');
    const forget = await useLogins(environment, [{ registry: registry.host, ...LOGIN }]);
    const folder = environment.DOCKER_CONFIG!;
    expect(await failureIn(environment)).toBeNull();
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'contexts', 'owner']);
    expect(JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8'))).toMatchObject({
      currentContext: 'default',
    });
    expect(await registryPasswords(environment)).toEqual(expect.arrayContaining([LOGIN.password, 'other']));
    await forget();
    expect([environment.DOCKER_CONFIG, existsSync(folder)]).toEqual([before, false]);
    expect(readFileSync(path.join(before!, 'config.json'), 'utf8')).toBe(asWritten);
  });

  it('are none where they are null: neither of the file, nor of a helper, nor of the variable', async () => {
    const source = `#!/bin/sh\necho '{"ServerURL":"${registry.host}","Username":"${LOGIN.username}","Secret":"${LOGIN.password}"}'\n`;
    const helper = { name: 'made-up', source };
    for (const config of [loggedIn(), { credHelpers: { [registry.host]: 'made-up' } }, { credsStore: 'made-up' }]) {
      const environment = { ...machineWith(config, helper), DOCKER_AUTH_CONFIG: JSON.stringify(loggedIn()) };
      const forget = await useLogins(environment, null);
      expect(await failureIn(environment)).toContain(WANTED());
      expect(await registryPasswords(environment)).toEqual([]);
      await forget();
      rmSync(machine, { recursive: true });
    }
  });
});
