import { describe, expect, it } from 'vitest';
import { type SideIdentity, sameOnBothSides } from '../../../src/core/baseline/identity.ts';
import { baselineSide } from '../../../src/core/baseline/sides.ts';
import { namedFiles, specPaths } from '../../../src/core/config/paths.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { redactedSpec, secretsOf } from '../../../src/core/record/redaction.ts';
import { sharedPort } from '../../../src/core/topology/shared-port.ts';

const spec = (dependencies: string, service = '') =>
  readSpec(
    `name: api\nservices: {go: {image: acme/go, port: 80${service}}}\nendpoints: {ping: /ping}\n` +
      (dependencies === '' ? '' : `dependencies: {${dependencies}}\n`),
    'wrkbench.yml',
  );
const redis = 'redis: {image: "redis:8", port: 6379}';

describe('the dependencies of both sides', () => {
  const warned = (candidate: string, baseline: string) =>
    baselineSide(spec(candidate), spec(baseline)).warnings.map(({ code, message }) => `${code}: ${message}`);

  it('are those of its own spec on each', () => {
    const side = baselineSide(spec('redis: {image: "redis:9", port: 6379}'), spec(redis));
    expect(side.spec.dependencies).toEqual(spec(redis).dependencies);
    expect(baselineSide(spec(''), spec('')).spec).not.toHaveProperty('dependencies');
  });

  it('are told where they differ', () => {
    expect(warned(redis, redis)).toEqual([]);
    const others = 'redis: {image: "redis:9", port: 6379}, mq: {image: a, env: {A: 1}}, new: {image: b}';
    expect(warned(others, `${redis}, mq: {image: a, env: {A: 2}}, old: {build: c}`)).toEqual([
      "dependencies-differ: The dependencies of the two sides differ: redis (redis:8 and redis:9), mq (set up differently), old (the baseline's alone), new (the candidate's alone). " +
        'Each side has its own: part of any change between them may come from there and not from the code.',
    ]);
  });

  it('are reason enough to measure where they, or what they are built from, may differ', () => {
    const side = (dependencies: string, init: string[] = []): SideIdentity => ({
      spec: spec(dependencies),
      artifacts: { go: [`acme@sha256:${'a'.repeat(64)}`] },
      init,
      tree: 'tree',
    });
    const same = (one: SideIdentity, other: SideIdentity) => sameOnBothSides(one, other, ['go']) !== null;
    expect(same(side(redis), side(redis))).toBe(true);
    expect(same(side(redis), side('redis: {image: "redis:9", port: 6379}'))).toBe(false);
    expect(same(side('redis: {build: .}'), side('redis: {build: .}'))).toBe(false);
    expect(same(side(redis, ['one']), side(redis, ['other']))).toBe(false);
  });

  it('are told of where both want the same port of one machine', () => {
    const side = (dependency: string) => spec(dependency, ', env: {PORT: "${port}"}');
    const fixed = side('redis: {command: [redis-server], port: 6379}');
    const free = side('redis: {command: [redis-server, --port, "${port}"], port: 6379}');
    expect(sharedPort(fixed, fixed)).toMatch(
      /^Baseline and candidate stand side by side .* same port: redis \(port 6379\); write \$\{port\}/,
    );
    expect(sharedPort(free, fixed)).toBeNull();
    const none = side('worker: {command: [work]}');
    expect(sharedPort(none, none)).toBeNull();
  });
});

describe('what a dependency names', () => {
  it('is among the paths and files of the spec', () => {
    const named = spec(
      'mq: {build: {context: mq, dockerfile: D}, files: {mq.conf: /etc/mq.conf}}',
      ', files: {go.yml: /etc/go.yml}',
    );
    expect(specPaths(named)).toEqual(['mq', 'mq/D', 'go.yml', 'mq.conf']);
    expect(namedFiles(named, 'bench/wrkbench.yml')).toEqual([
      ...['bench/mq/D', 'bench/mq/D.dockerignore', 'bench/mq/.dockerignore', 'bench/go.yml', 'bench/mq.conf'],
    ]);
  });

  it('is left out of records where its name says that it is a secret, wherever else it stands', () => {
    const secret = spec(
      'mq: {image: mq, env: {MQ_PASSWORD: s3cret-w0rd}, command: [mq, "--as=s3cret-w0rd"]}',
      ', env: {URL: "mq://mq:s3cret-w0rd@mq"}',
    );
    expect(JSON.stringify(redactedSpec(secret))).not.toContain('s3cret-w0rd');
    expect(secretsOf(secret)).toContain('s3cret-w0rd');
  });

  it('is as the candidate has it where the record of a baseline holds no secret', () => {
    const with_ = (password: string) => spec(`mq: {image: mq, env: {MQ_PASSWORD: ${password}}}`);
    const side = baselineSide(with_('of-the-candidate'), redactedSpec(with_('of-the-baseline')));
    expect(side.spec.dependencies![0]!.env).toEqual({ MQ_PASSWORD: 'of-the-candidate' });
    expect(side.warnings.map(({ code }) => code)).toEqual(['redacted-environment']);
  });
});
