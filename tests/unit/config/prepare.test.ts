import { describe, expect, it } from 'vitest';
import { dataFilesOf } from '../../../src/core/config/paths.ts';
import { jobImagesOf, prepare as recordedSteps } from '../../../src/core/config/prepare.ts';
import { numberedRequest, stepTitle } from '../../../src/core/config/prepare-texts.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { stepsFor } from '../../../src/core/config/service-steps.ts';
import { changesData, isWriting } from '../../../src/core/config/writes.ts';
import { diagnosticLines, leastWith } from './specs.ts';

const withSteps = (steps: string, more = '') => leastWith(`database: {init: [schema.sql]}\nprepare: ${steps}\n${more}`);
const specOf = (steps: string, more = '') => readSpec(withSteps(steps, more), 'wrkbench.yml');
const messages = (text: string) => diagnosticLines(text).map((line) => line.replace(/^\d+:\d+: /, ''));

describe('the steps of prepare', () => {
  it('are absent where none are written', () => {
    expect(readSpec(leastWith('database: {}'), 'wrkbench.yml')).not.toHaveProperty('prepare');
  });

  it('are jobs, SQL, the start of the service and requests, in their order', () => {
    const steps = `
  - job: [python, manage.py, migrate, 1]
  - {job: [seed], image: "seeder:2", entrypoint: [], env: {COUNT: 5}, timeout: 2m}
  - sql: bench/seed.sql
  - sql: [a.sql, b.sql]
  - start: true
  - requests: {method: POST, path: "/items/\${n}", headers: {x-n: "\${n}"}, body: '{"name": "item \${n}"}', expect: 201, repeat: 1000}
  - requests: [{path: /warm}, {method: PUT, path: /other}]
`;
    expect(specOf(steps).prepare).toEqual([
      { kind: 'job', command: ['python', 'manage.py', 'migrate', '1'], env: {}, timeoutSeconds: 600 },
      {
        ...{ kind: 'job', command: ['seed'], image: 'seeder:2', entrypoint: [] },
        ...{ env: { COUNT: '5' }, timeoutSeconds: 120 },
      },
      { kind: 'sql', files: ['bench/seed.sql'] },
      { kind: 'sql', files: ['a.sql', 'b.sql'] },
      { kind: 'start' },
      {
        kind: 'requests',
        requests: [
          {
            ...{ method: 'POST', path: '/items/${n}', headers: { 'x-n': '${n}' }, body: '{"name": "item ${n}"}' },
            ...{ status: 201, repeat: 1000 },
          },
        ],
      },
      {
        kind: 'requests',
        requests: [
          { method: 'GET', path: '/warm', headers: {}, body: null, status: null, repeat: 1 },
          { method: 'PUT', path: '/other', headers: {}, body: null, status: null, repeat: 1 },
        ],
      },
    ]);
    expect(dataFilesOf(specOf(steps))).toEqual(['schema.sql', 'bench/seed.sql', 'a.sql', 'b.sql']);
    expect(jobImagesOf(specOf(steps))).toEqual(['seeder:2']);
  });

  it.each([
    ['[{job: [a], sql: b.sql}]', 'prepare.0 has `job` and `sql`: expected one of job, sql, start and requests'],
    ['[{timeout: 5m}]', 'prepare.0 says nothing to do: expected one of job, sql, start and requests'],
    ['[{sql: b.sql, env: {A: 1}}]', 'prepare.0 has `env`, which only a job has: expected `job` beside it'],
    [
      '[{job: ["${databse.url}"]}]',
      'prepare.0.job.0: `${databse.url}` is not a placeholder: did you mean `${database.url}`?',
    ],
    ['[{jobs: [a]}]', 'unknown key `jobs` in prepare.0: did you mean `job`?'],
  ])('are told where %s is wrong', (steps, message) => {
    expect(messages(withSteps(steps))).toEqual([message]);
  });

  it('need something that keeps what they make', () => {
    expect(messages(leastWith('prepare: [{start: true}]'))).toEqual([
      '`prepare` makes data, and nothing keeps them: expected `database` at the top of the spec, or a dependency with `volumes`',
    ]);
  });

  it('are gone through by subjects alone: a reference only calibrates', () => {
    const spec = specOf('[{start: true}]');
    const [service] = spec.services;
    expect(stepsFor(spec, service!)).toEqual([{ kind: 'start' }]);
    expect(stepsFor(spec, { ...service!, role: 'reference' })).toEqual([]);
  });

  describe('end with a start of a service that writes, so that its data are put back to what it makes itself', () => {
    const stepsOf = (more: string, method = 'POST') => {
      const spec = readSpec(leastWith(more).replace('ping: /ping', `ping: {path: /ping, method: ${method}}`), 'x.yml');
      return stepsFor(spec, spec.services[0]!);
    };
    const IMPLIED = { kind: 'start', isImplied: true };

    it('where nothing or only jobs and SQL are written', () => {
      expect(stepsOf('database: {}')).toEqual([IMPLIED]);
      expect(stepsOf('database: {}\nprepare: [{sql: a.sql}]')).toEqual([{ kind: 'sql', files: ['a.sql'] }, IMPLIED]);
      expect(stepsOf('dependencies: {redis: {image: "redis:8", port: 6379, volumes: [/data]}}')).toEqual([IMPLIED]);
    });

    it('and not where a step starts it, it only reads, or nothing is kept of what it makes', () => {
      expect(stepsOf('database: {}\nprepare: [{start: true}, {sql: a.sql}]')).toHaveLength(2);
      expect(stepsOf('database: {}\nprepare: [{requests: {path: /a}}]')).toHaveLength(1);
      expect(stepsOf('database: {}', 'GET')).toEqual([]);
      expect(stepsOf('dependencies: {redis: {image: "redis:8", port: 6379}}')).toEqual([]);
      expect(stepsOf('')).toEqual([]);
    });
  });

  it('are in a record as they were resolved', () => {
    const { prepare } = specOf('[{job: [a]}, {sql: b.sql}, {start: true}, {requests: {path: /a}}]');
    expect(recordedSteps.recorded.parse(prepare)).toEqual(prepare);
    expect(recordedSteps.recorded.safeParse([{ kind: 'job', command: 'rm -rf' }]).success).toBe(false);
  });
});

describe('a step in a sentence', () => {
  it.each([
    ['{job: [python, manage.py, migrate]}', 'prepare step 2 (job: python manage.py migrate)'],
    ['{sql: [a.sql, b.sql]}', 'prepare step 2 (sql: a.sql, b.sql)'],
    ['{start: true}', 'prepare step 2 (start)'],
    ['{requests: [{method: POST, path: /a}, {path: /b}]}', 'prepare step 2 (requests: POST /a, GET /b)'],
  ])('is called by what it does: %s', (step, title) => {
    expect(stepTitle(specOf(`[${step}]`).prepare![0]!, 2)).toBe(title);
  });

  it('takes no more room than a line, and shows what would act', () => {
    const title = stepTitle({ kind: 'sql', files: [`${'a'.repeat(500)}\u202e`] }, 1);
    expect(title).toHaveLength('prepare step 1 ()'.length + 80);
    expect(stepTitle({ kind: 'sql', files: ['\u202e'] }, 1)).toBe('prepare step 1 (sql: ⟨U+202E⟩)');
  });
});

describe('a repeated request', () => {
  it('has its number wherever `${n}` stands, and other text as it is', () => {
    const request = {
      ...{ method: 'POST', path: '/a/${n}?n=${n}', headers: { 'x-n': 'a${n}', 'x-other': '${other}' } },
      ...{ body: '{"n": ${n}, "text": "$${n} ${N}"}', status: null, repeat: 9 },
    };
    expect(numberedRequest(request, 7)).toEqual({
      ...{ method: 'POST', path: '/a/7?n=7', headers: { 'x-n': 'a7', 'x-other': '${other}' } },
      body: '{"n": 7, "text": "${n} ${N}"}',
    });
    expect(numberedRequest({ ...request, body: null }, 7).body).toBeNull();
  });
});

describe('an endpoint', () => {
  it.each([
    ['GET', undefined, false],
    ['HEAD', undefined, false],
    ['OPTIONS', undefined, false],
    ['POST', undefined, true],
    ['PUT', undefined, true],
    ['PATCH', undefined, true],
    ['DELETE', undefined, true],
    ['GET', true, true],
    ['POST', false, false],
  ])('%s, said to write: %s, is taken to change data: %s', (method, writes, expected) => {
    expect(isWriting({ method, ...(writes === undefined ? {} : { writes }) })).toBe(expected);
  });

  it('changes data where there are some, and the service has it', () => {
    const text = (more: string) =>
      `${leastWith(more)}\n`.replace('ping: /ping', 'ping: /ping\n  create: {method: POST, path: /a}');
    const has = (more: string, changes = {}) => {
      const spec = readSpec(text(more), 'wrkbench.yml');
      return changesData(spec, { ...spec.services[0]!, ...changes });
    };
    expect(has('database: {}')).toBe(true);
    expect(has('')).toBe(false);
    expect(has('database: {}', { endpoints: ['ping'] })).toBe(false);
    expect(has('database: {}', { role: 'reference' })).toBe(false);
  });
});
