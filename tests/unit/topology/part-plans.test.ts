import { describe, expect, it } from 'vitest';
import type { Dependency } from '../../../src/core/config/dependency.ts';
import { dependencyPlan, hostNamesOf } from '../../../src/core/topology/dependency-plan.ts';
import { gatewayPlan } from '../../../src/core/topology/gateway-plan.ts';
import { jobPlan } from '../../../src/core/topology/job-plan.ts';
import type { PartPlace } from '../../../src/core/topology/part-plan.ts';
import { endCode, partTitle } from '../../../src/core/topology/parts.ts';
import { poolerPlan } from '../../../src/core/topology/pooler-plan.ts';
import { servicePlan } from '../../../src/core/topology/service-plan.ts';
import { plainDependency, plainService } from '../../support/testbed-specs.ts';

const CONTAINER: PartPlace = {
  listen: null,
  configurationFolder: '/etc/wrkbench',
  writableFolder: '/tmp',
  openFiles: 4096,
};
const PROCESS: PartPlace = {
  listen: { address: '127.0.0.1', port: 4711 },
  configurationFolder: '/tmp/one',
  writableFolder: '/tmp/one',
  openFiles: 1024,
};
const WISH = {
  image: 'sha256:a',
  placement: { service: '0-1', database: '2', generator: '3' },
  placeholders: { 'redis.host': '10.0.0.2', 'redis.port': '6379' },
  directory: '/checkout',
  files: {},
  machine: { cpuCount: 8, memoryBytes: 1024 ** 3 },
};

describe('a part in a container and as a process', () => {
  it('is the same gateway, which listens where it stands and has as many files as it gets', () => {
    const configuration = { of: (plan: object) => JSON.stringify(plan), advice: '' };
    const wish = { image: 'i', cpus: '0', workers: 1, openFiles: 9999, upstream: 'a:1', asked: null, configuration };
    const plan = gatewayPlan(wish);
    expect(plan.programAt(CONTAINER)).toEqual({
      entrypoint: ['nginx'],
      command: ['-c', '/etc/wrkbench/nginx.conf'],
      env: {},
      files: { '/etc/wrkbench/nginx.conf': '{"upstream":"a:1","workers":1,"openFiles":4096}' },
    });
    const { command, files } = plan.programAt(PROCESS);
    expect(command).toEqual(['-p', '/tmp/one', '-c', '/tmp/one/nginx.conf']);
    expect(JSON.parse(String(files['/tmp/one/nginx.conf']))).toEqual({
      ...{ upstream: 'a:1', workers: 1, openFiles: 1024, listen: '127.0.0.1:4711', folder: '/tmp/one' },
    });
  });

  it('is the same pooler, which passes on to the database and is asked as the service', () => {
    const pooler = {
      ...{ kind: 'pgbouncer' as const, image: 'p', mode: 'session' as const },
      ...{ defaultPoolSize: 20, maxClientConnections: 100 },
    };
    const server = { host: '10.0.0.3', port: 5432 };
    const plan = poolerPlan({
      image: 'i',
      cpus: '0',
      pooler,
      database: { name: 'bench' },
      role: { user: 'app', password: 'p"w' },
      server,
    });
    const { files } = plan.programAt(CONTAINER);
    expect(files['/etc/wrkbench/pgbouncer.ini']).toMatch(/host=10\.0\.0\.3 port=5432/);
    expect(files['/etc/wrkbench/pgbouncer.ini']).toMatch(/^listen_port = 6432$/m);
    expect(files['/etc/wrkbench/userlist.txt']).toBe('"app" "p""w"\n');
    expect(plan.programAt(PROCESS).files['/tmp/one/pgbouncer.ini']).toMatch(/^listen_port = 4711$/m);
    expect(plan.ready).toMatchObject({ kind: 'query', user: 'app', database: 'bench' });
  });

  it('is the same service, which knows its port, its CPUs and what stands beside it', () => {
    const service = plainService(
      { image: null, command: ['serve', '--port=${port}', '--workers=${cpus}', '--dir=${folder}'] },
      { env: { REDIS: 'redis://${redis.host}:${redis.port}' }, entrypoint: ['/bin/run', '${service}'] },
    );
    const plan = servicePlan(service, [], WISH);
    expect(plan).toMatchObject({
      cpus: '0-1',
      memoryBytes: 409 * 1024 ** 2,
      directory: '/checkout',
      image: 'sha256:a',
    });
    expect(plan.programAt(CONTAINER)).toEqual({
      entrypoint: ['/bin/run', 'plain'],
      command: ['serve', '--port=8080', '--workers=2', '--dir=/tmp'],
      env: { REDIS: 'redis://10.0.0.2:6379' },
      files: {},
    });
    const { command, env } = plan.programAt(PROCESS);
    expect(command[1]).toBe('--port=4711');
    expect(env.PORT).toBe('4711');
  });

  it('is told its further ports: as they are written in a container, as they were found free as a process', () => {
    const source = { image: null, command: ['serve', '--grpc=${ports.grpc}', '--metrics=${ports.metrics}'] };
    const plan = servicePlan(plainService(source, { ports: { grpc: 9090, metrics: 2112 } }), [], WISH);
    expect(plan.programAt(CONTAINER).command.slice(1)).toEqual(['--grpc=9090', '--metrics=2112']);
    const listen = { ...PROCESS.listen!, ports: { grpc: 40001, metrics: 2112 } };
    expect(plan.programAt({ ...PROCESS, listen }).command.slice(1)).toEqual(['--grpc=40001', '--metrics=2112']);
  });
});

describe('a job of prepare', () => {
  it('is the service with other words, on all CPUs and without a part of one, since nothing is measured meanwhile', () => {
    const service = { ...plainService({ image: null, command: ['serve'] }), cpus: 0.5, env: { A: 'of service' } };
    const step = { kind: 'job' as const, command: ['migrate'], env: { B: '${redis.host}' }, timeoutSeconds: 60 };
    const plan = jobPlan(service, step, WISH);
    const { command, env } = plan.programAt(CONTAINER);
    expect({ command, env }).toEqual({ command: ['migrate'], env: { A: 'of service', B: '10.0.0.2' } });
    expect(plan).toMatchObject({ cpus: '0-3', cpuQuota: null, ready: { kind: 'running' } });
    expect(servicePlan(service, [], WISH)).toMatchObject({ cpus: '0-1', cpuQuota: 0.5 });
  });
});

describe('a service that is asked over TLS', () => {
  const service = plainService(
    { image: null, command: ['serve', '--cert=${tls.certificate}'] },
    { protocol: 'https', env: { KEY: '${tls.key}' } },
  );
  const certificate = { certificate: 'CERTIFICATE', key: 'KEY' };
  const plan = servicePlan(service, [], { ...WISH, files: { '/etc/app.yml': new Uint8Array(1) }, certificate });

  it('finds certificate and key as files, where it stands', () => {
    const inContainer = plan.programAt(CONTAINER);
    expect(inContainer.command).toEqual(['serve', '--cert=/etc/wrkbench/tls-certificate.pem']);
    expect(inContainer.env).toEqual({ KEY: '/etc/wrkbench/tls-key.pem' });
    expect(inContainer.files).toEqual({
      '/etc/app.yml': new Uint8Array(1),
      '/etc/wrkbench/tls-certificate.pem': 'CERTIFICATE',
      '/etc/wrkbench/tls-key.pem': 'KEY',
    });
    expect(plan.programAt(PROCESS).env.KEY).toBe('/tmp/one/tls-key.pem');
  });

  it('is told in one sentence what it does instead of TLS', () => {
    const { ready } = plan;
    if (ready.kind !== 'answer') throw new Error('it is asked otherwise');
    const outcome = { kind: 'no-tls', does: 'answers in plain HTTP' } as const;
    expect(ready.failure(outcome, 'https://127.0.0.1:8080', () => '')).toEqual({
      code: 'not-ready',
      message:
        'plain was asked for https://127.0.0.1:8080/ping and answers in plain HTTP. Start it with the certificate and the key that ${tls.certificate} and ${tls.key} name, or correct its protocol (https) in the spec.',
    });
  });

  it('without a certificate has no value for what names it', () => {
    expect(() => servicePlan(service, [], WISH).programAt(CONTAINER)).toThrow(
      'has no value here: the service is not asked over TLS',
    );
  });
});

describe('a dependency', () => {
  const mq = (changes: Partial<Dependency> = {}) =>
    plainDependency(
      { image: null, command: ['mq', '--port', '${port}', '--dir', '${folder}'] },
      { name: 'mq', port: 5672, ...changes },
    );
  const seconds = { timeoutSeconds: 5 };

  it('stands on the CPUs of the database, and is told its port and a folder that it may write to', () => {
    const plan = dependencyPlan(mq({ memoryBytes: 64 * 1024 ** 2 }), WISH);
    expect(plan).toMatchObject({ part: 'dependency mq', cpus: '2', memoryBytes: 64 * 1024 ** 2, cpuQuota: null });
    expect(plan.programAt(CONTAINER).command).toEqual(['mq', '--port', '5672', '--dir', '/tmp']);
    expect(plan.programAt(PROCESS).command).toEqual(['mq', '--port', '4711', '--dir', '/tmp/one']);
  });

  it('is asked by a command that is told the port as well', () => {
    const { ready } = dependencyPlan(
      mq({ ready: { kind: 'command', command: ['mq', 'ping', '${port}', '${redis.host}'], ...seconds } }),
      WISH,
    );
    if (ready.kind !== 'command') throw new Error('it is asked otherwise');
    expect(ready.commandAt(4711)).toEqual(['mq', 'ping', '4711', '10.0.0.2']);
    expect(ready.failure('no nodes')).toEqual({
      code: 'dependency-failed',
      message:
        'The dependency mq was asked by `mq ping ${port} ${redis.host}` for 5 s, which never ended with status 0 (no nodes). Look at its log, or raise ready.timeout of dependencies.mq in the spec.',
    });
  });

  it('that is not told what its texts need is not started', () => {
    const portless = dependencyPlan(mq({ port: null, ready: { kind: 'running', ...seconds } }), WISH);
    expect(() => portless.programAt(CONTAINER)).toThrow(/`\$\{port\}` has no value here/);
  });

  it('says what became of it in words of its own', () => {
    const { ready } = dependencyPlan(mq({ ready: { kind: 'port', ...seconds } }), WISH);
    if (ready.kind !== 'answer') throw new Error('it is asked otherwise');
    expect(
      ready.failure({ kind: 'refused' }, 'http://10.0.0.9:5672', (whose) => `nothing listens for ${whose}`),
    ).toEqual({
      ...{
        code: 'dependency-failed',
        message: 'The dependency mq was to open its port 5672 within 5 s, but nothing listens for the dependency.',
      },
    });
    expect([endCode('dependency mq'), partTitle('dependency mq')]).toEqual(['dependency-failed', 'The dependency mq']);
  });

  it('has its name and its further names as host names, each once', () => {
    expect(hostNamesOf({ name: 'mq', alias: ['queue', 'mq'] })).toEqual(['mq', 'queue']);
  });
});
