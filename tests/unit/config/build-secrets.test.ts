import { describe, expect, it } from 'vitest';
import { buildSecretsOf, builtWithVariables } from '../../../src/core/config/build-secrets.ts';
import { variablesOf } from '../../../src/core/config/caller-variables.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { redactedSpec } from '../../../src/core/record/redaction.ts';
import { diagnosticLines } from './specs.ts';

const text = (secrets: string) =>
  `name: a\nservices: {go: {build: {context: ., secrets: ${secrets}}, port: 80}}\nendpoints: {ping: /ping}\n`;
const beside =
  'database: {build: {context: db, secrets: {apt: "${env.APT}"}}}\n' +
  'dependencies: {mq: {build: {context: mq, secrets: {npm: "${env.NPM}"}}, port: 1}, redis: {image: redis, port: 2}}\n';

describe('secrets of a build', () => {
  const spec = readSpec(text('{npm: "${env.NPM}", pip.conf: "${env.PIP}"}') + beside, 'wrkbench.yml');

  it('are variables of the caller, found wherever something is built', () => {
    expect(variablesOf(spec)).toEqual([
      { name: 'NPM', place: 'services.go.build.secrets.npm' },
      { name: 'PIP', place: 'services.go.build.secrets.pip.conf' },
      { name: 'APT', place: 'database.build.secrets.apt' },
    ]);
    expect(buildSecretsOf(spec)).toHaveLength(4);
    expect(buildSecretsOf(readSpec(text('{}').replace(', secrets: {}', ''), 'wrkbench.yml'))).toEqual([]);
  });

  it('have their values only in what is built, and not in what is recorded', () => {
    const values = { 'env.NPM': 's3cret ${port}', 'env.PIP': 'other', 'env.APT': 'third' };
    const built = builtWithVariables(spec, values);
    expect(built.services[0]!.image).toMatchObject({ secrets: { npm: 's3cret ${port}', 'pip.conf': 'other' } });
    expect(built.database!.build).toMatchObject({ secrets: { apt: 'third' } });
    expect(built.dependencies!.map(({ image }) => image)).toEqual([
      expect.objectContaining({ secrets: { npm: 's3cret ${port}' } }),
      { kind: 'image', reference: 'redis' },
    ]);
    expect(redactedSpec(spec).services[0]!.image).toMatchObject({ secrets: { npm: '${env.NPM}' } });
  });

  it.each(['plain', '"${env.A} b"', '"${port}"', '"$${env.A}"', '"${env.A"'])(
    'are none that stand in the spec: %s',
    (value) => {
      const [line, ...more] = diagnosticLines(text(`{npm: ${value}}`));
      expect(line).toContain('expected a variable of the caller such as ${env.NPM_TOKEN}');
      expect(more).toEqual([]);
    },
  );

  it.each(['a,b', 'a=b', '--x', 'A'])('are not called %s', (id) => {
    expect(diagnosticLines(text(`{"${id}": "\${env.A}"}`))).toHaveLength(1);
  });
});
