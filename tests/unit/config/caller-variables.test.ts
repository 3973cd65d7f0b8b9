import { describe, expect, it } from 'vitest';
import { asRequestValues, specWithVariables, variablesOf } from '../../../src/core/config/caller-variables.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const SPEC = readSpec(
  `
name: shop
services: {web: {image: acme/web, port: 80, env: {KEY: "\${env.KEY}", URL: "\${database.url}"}}}
database: postgres:18
dependencies: {mail: {image: acme/mail, port: 25, env: {PASSWORD: "p-\${env.MAIL}"}}}
prepare:
  - job: [migrate]
    env: {LICENCE: "\${env.LICENCE}"}
  - sql: seed.sql
  - requests: {method: POST, path: /items, headers: {x-key: "\${env.KEY}"}, body: "\${n} \${env.SEED}"}
login: {request: {path: /login, body: "\${env.PASSWORD}"}, take: {token: $.token}}
endpoints: {items: {path: "/items?key=\${env.KEY}"}}
`,
  'wrkbench.yml',
);

describe('variables of the caller', () => {
  it('are found wherever a spec may name them, each once, at its first place', () => {
    expect(variablesOf(SPEC).map(({ name, place }) => `${name} ${place}`)).toEqual([
      'KEY services.web.env.KEY',
      'MAIL dependencies.mail.env.PASSWORD',
      'LICENCE prepare.0.env.LICENCE',
      'SEED prepare.2.requests',
      'PASSWORD login (step login)',
    ]);
  });

  it('are filled in wherever something is started or asked, and make no placeholder', () => {
    const values = asRequestValues({ KEY: 'k/1', MAIL: '${database.url}', LICENCE: 'l', SEED: 's', PASSWORD: 'p' });
    const { services, dependencies, prepare, endpoints } = specWithVariables(SPEC, values);
    expect(services[0]!.env).toEqual({ KEY: 'k/1', URL: '${database.url}' });
    expect(dependencies![0]!.env).toEqual({ PASSWORD: 'p-$${database.url}' });
    expect(prepare![0]).toMatchObject({ kind: 'job', env: { LICENCE: 'l' } });
    expect(prepare![2]).toMatchObject({ requests: [{ headers: { 'x-key': 'k/1' }, body: '${n} s' }] });
    expect(endpoints[0]!.path).toBe('/items?key=k%2F1');
  });
});
