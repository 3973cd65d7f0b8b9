import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PRESET_MEANINGS, PRESET_NAMES, PRESETS } from '../../../src/core/config/load.ts';
import { PLACEHOLDERS } from '../../../src/core/config/placeholders.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { referenceTables } from '../../../src/core/config/reference.ts';
import { diagnosticsOf, leastWith, RIGHT_SPECS } from './specs.ts';

const schema = JSON.parse(readFileSync('schema/spec.schema.json', 'utf8'));
// Descriptions and defaults stand beside `$ref`, which is right in this draft.
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

/** As an editor reads YAML: version 1.2, merged maps followed. */
function fits(text: string): boolean {
  return validate(parse(text, { merge: true }));
}

describe('the JSON Schema', () => {
  it('and the reference are what the written schema makes of them', () => {
    expect(execFileSync('node', ['scripts/schema.mjs', '--check'], { encoding: 'utf8' })).toBe(
      'schema/spec.schema.json, docs/spec.md, docs/spec-keys.md are up to date\n',
    );
  });

  it.each(Object.keys(RIGHT_SPECS))('takes %s', (name) => {
    expect(readSpec(RIGHT_SPECS[name]!, name).name).toMatch(/./);
    expect({ fits: fits(RIGHT_SPECS[name]!), errors: validate.errors }).toEqual({ fits: true, errors: null });
  });

  it.each([
    'surprise: 1',
    'load: {wrk: {duration: 10}}',
    'load: {wrk: {duration: 0s}}',
    'load: {wrk: {connections: []}}',
    'load: {wrk: {connections: 0}}',
    'load: {wrk: {threads: {x: 1}}}',
    'load: {wrk: {keep-alive: maybe}}',
    'load: {preset: fast}',
    'load: {k6: {rate: 60}}',
    'load: {k6: {rate: 2000 req/s}}',
    'load: {k6: {script: ../k6.js}}',
    'load: {wrk: {script: ../wrk.lua}}',
    'load: {wrk: {script: /etc/passwd}}',
    'load: {wrk: {script: 3}}',
    'load: {warm-up: 500}',
    'database: {init: /etc/passwd}',
    'database: {init: [sql/../../a.sql]}',
    'database: {settings: {"bad name": 1}}',
    'database: {user: "a b"}',
    'database: "-evil"',
    'database: {password: 1234}',
    'database: {password: ""}',
    'database: {password: "a\\nb"}',
    'price: 3',
    'price: {cpu-hour: 0.04, gib-hour: 0.005}',
    'price: {cpu-hour: -1, gib-hour: 0.005, currency: USD}',
    'price: {cpu-hour: "0.04", gib-hour: 0.005, currency: USD}',
    'price: {cpu-hour: .inf, gib-hour: 0.005, currency: USD}',
    'price: {cpu-hour: 0.04, gib-hour: 0.005, currency: dollars}',
    'gateway: {kind: envoy}',
    'gateway: {kind: nginx, config: ../nginx.conf}',
    'gateway: {kind: nginx, config: /etc/nginx/nginx.conf}',
    'gateway: {kind: nginx, config: [nginx.conf]}',
    'gateway: {kind: nginx, endpoints: []}',
    'gateway: {kind: nginx, endpoints: {ping: on}}',
    'gateway: {kind: nginx, endpoints: ["a b"]}',
    'placement: {service: 0}',
    'placement: {service: a, generator: 1}',
    'gate: {throughput: 5%}',
    'gate: {throughput: {max-decrease: 5 %}}',
    'gate: {latency-p99: {max: 50mb}}',
    'gate: {latency-p99: {max: 5%}}',
    'gate: {memory-peak: {max: 1x}}',
    'gate: {baseline: main}',
    'gate: {cases: {go: {cpu: {max: 1}}}}',
  ])('refuses, as reading does, %s', (more) => {
    const text = leastWith(more);
    expect({ fits: fits(text), diagnostics: diagnosticsOf(text).length > 0 }).toEqual({
      fits: false,
      diagnostics: true,
    });
  });

  it.each([
    ['a service without a port', 'name: a\nservices: {go: {build: .}}\nendpoints: {p: /}\n'],
    ['a port that is text', 'name: a\nservices: {go: {build: ., port: "80"}}\nendpoints: {p: /}\n'],
    ['a name with a slash', 'name: a/b\nservices: {go: {build: ., port: 80}}\nendpoints: {p: /}\n'],
    ['an endpoint without a slash', 'name: a\nservices: {go: {build: ., port: 80}}\nendpoints: {p: ping}\n'],
    ['an endpoint with a space', 'name: a\nservices: {go: {build: ., port: 80}}\nendpoints: {p: "/a b"}\n'],
    [
      'a header with a line break',
      'name: a\nservices: {go: {build: ., port: 80}}\nendpoints: {p: {path: /, headers: {a: "b\\nc"}}}\n',
    ],
  ])('refuses, as reading does, %s', (_, text) => {
    expect({ fits: fits(text), diagnostics: diagnosticsOf(text).length > 0 }).toEqual({
      fits: false,
      diagnostics: true,
    });
  });

  it('describes every key for editors', () => {
    const undescribed: string[] = [];
    const visit = (node: unknown, path: string) => {
      if (node === null || typeof node !== 'object') return;
      const { properties } = node as { properties?: Record<string, { description?: string }> };
      for (const [key, inner] of Object.entries(properties ?? {})) {
        if (inner.description === undefined) undescribed.push(`${path}.${key}`);
      }
      for (const [key, inner] of Object.entries(node)) visit(inner, `${path}.${key}`);
    };
    visit(schema, '');
    expect(undescribed).toEqual([]);
  });
});

describe('the tables of the reference', () => {
  it('show a default exactly where reading fills one in', () => {
    const rows = referenceTables()
      .keys!.split('\n')
      .map((row) => row.split(' | '));
    const documented = Object.fromEntries(
      rows.map(([key, , value]) => [key!.replaceAll(/[|`]|^ | $/g, '').trim(), value?.replaceAll('`', '')]),
    );
    const { services, database, gateway, load, gate, endpoints } = readSpec(
      leastWith('database: {pooler: pgbouncer}\ngateway: nginx\nload: {wrk: on, k6: on, ab: on}\n'),
      'x',
    );
    expect(documented).toMatchObject({
      'services.NAME.open-files': String(services[0]!.openFiles),
      'services.NAME.role': services[0]!.role,
      'services.NAME.working-directory': services[0]!.workingDirectory,
      'services.NAME.ready.timeout': `${services[0]!.ready.timeoutSeconds}s`,
      'database.image': database!.image,
      'database.name': database!.name,
      'database.user': database!.user,
      'database.ready.timeout': `${database!.readyTimeoutSeconds}s`,
      'database.pooler.image': database!.pooler!.image,
      'database.pooler.mode': database!.pooler!.mode,
      'database.pooler.default-pool-size': String(database!.pooler!.defaultPoolSize),
      'database.pooler.max-client-connections': String(database!.pooler!.maxClientConnections),
      'gateway.image': gateway!.image,
      'endpoints.NAME.method': endpoints[0]!.method,
      'endpoints.NAME.expect.status': String(endpoints[0]!.expect.status),
      'load.wrk.threads': String(load.wrk!.threads),
      'load.wrk.connections': `[${load.wrk!.connections.join(', ')}]`,
      'load.wrk.duration': `${load.wrk!.durationSeconds}s`,
      'load.wrk.timeout': `${load.wrk!.timeoutSeconds}s`,
      'load.k6.rate': '60%',
      'load.k6.connections': `[${load.k6!.connections.join(', ')}]`,
      'load.k6.timeout': `${load.k6!.timeoutSeconds}s`,
      'load.ab.requests': String(load.ab!.requests),
      'load.ab.connections': `[${load.ab!.connections.join(', ')}]`,
      'load.ab.keep-alive': '[off]',
      'load.ab.timeout': `${load.ab!.timeoutSeconds}s`,
      'load.warm-up': load.warmUp.kind,
      'load.cool-down': `${load.coolDownSeconds}s`,
      'gate.baseline': gate.baseline,
      'gate.budget': gate.budgetSeconds === null ? 'auto' : `${gate.budgetSeconds}s`,
    });
  });

  it('name every preset and every placeholder', () => {
    expect(Object.keys(PRESET_MEANINGS)).toEqual([...PRESET_NAMES]);
    expect(Object.keys(PRESETS)).toEqual([...PRESET_NAMES]);
    const { presets, placeholders } = referenceTables();
    for (const name of PRESET_NAMES) expect(presets).toContain(`| \`${name}\` |`);
    for (const name of Object.keys(PLACEHOLDERS)) expect(placeholders).toContain(`| \`\${${name}}\` |`);
  });
});
