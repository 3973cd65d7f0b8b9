import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numberOfCases } from '../../../src/core/config/cases.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const SUITES = 'fixtures/suites';

function suite(name: string) {
  return readSpec(readFileSync(join(SUITES, name, 'wrkbench.yml'), 'utf8'), `${name}/wrkbench.yml`);
}

describe('the suites that the project comes from', () => {
  it.each([
    // Services x endpoints x (connections x keep-alive); the gateway doubles it.
    ['apostol-rest', 6 * 4 * 4 * 2],
    ['users-1000', 6],
    ['hardware-tax', 4],
    ['abstract-rest', 13],
    ['event-pong', 5 * 3],
    // Five endpoints, wrk 2 x 2 and k6 once.
    ['demo', 5 * 4 + 5],
    ['demo-comparison', 1],
  ])('%s has %i cases', (name, cases) => {
    expect(numberOfCases(suite(name))).toBe(cases);
  });

  it('apostol-rest drives nginx as a reference, never ranked', () => {
    const roles = suite('apostol-rest').services.map(({ name, role }) => `${name}: ${role}`);
    expect(roles).toContain('nginx: reference');
    expect(roles.filter((role) => role.endsWith('reference'))).toHaveLength(1);
  });

  it('users-1000 has its own data beside it', () => {
    const files = suite('users-1000').database!.init;
    expect(files.filter((file) => !existsSync(join(SUITES, 'users-1000', file)))).toEqual([]);
    expect(files).toEqual(['users.sql']);
  });

  it.each(['demo', 'demo-comparison'])('%s can be started in containers and as a process', (name) => {
    const [service] = suite(name).services;
    expect(service!.image).toMatchObject({ kind: 'build', dockerfile: 'Dockerfile' });
    expect(service!.command).toEqual(['node', 'demo-server.cjs']);
  });
});
