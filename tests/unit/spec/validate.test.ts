import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { leastWith, RIGHT_SPECS } from './specs.ts';

describe('validate', () => {
  it('says in one line what a right spec comes to', () => {
    expect(validateSpec(RIGHT_SPECS['everything.yml']!, 'wrkbench.yml')).toMatchObject({
      ok: true,
      text: 'wrkbench.yml is right: 2 services, 3 endpoints, 84 cases, about 22 min\n',
      json: {
        ok: true,
        file: 'wrkbench.yml',
        name: 'rest-api',
        services: ['go', 'nginx'],
        endpoints: ['ping', 'db-ping', 'pong'],
        caseCount: 84,
      },
    });
  });

  it('gives the spec to programs without its secrets', () => {
    const text = leastWith('').replace('port: 8080', 'port: 8080, env: {DB_PASSWORD: hunter2-password}');
    expect(text).toContain('hunter2-password');
    const { json } = validateSpec(text, 'wrkbench.yml');
    expect(json).toMatchObject({ ok: true, spec: { services: [{ env: { DB_PASSWORD: '[redacted]' } }] } });
    expect(JSON.stringify(json)).not.toContain('hunter2-password');
  });

  it('shows every mistake of a wrong one, and counts them', () => {
    const text = leastWith('load:\n  wrk: {conections: [100]}\n  k6: {rate: 120%}\n');
    const { ok, text: shown, json } = validateSpec(text, 'wrkbench.yml');
    expect(ok).toBe(false);
    expect(shown).toBe(
      [
        'wrkbench.yml:7:9: `conections` is no key of load.wrk: did you mean `connections`?',
        '  7 |   wrk: {conections: [100]}',
        '    |         ^^^^^^^^^^',
        '',
        'wrkbench.yml:8:14: load.k6.rate is `120%`: expected more than 0% and at most 100%',
        '  8 |   k6: {rate: 120%}',
        '    |              ^^^^',
        '',
        '2 mistakes in wrkbench.yml',
        '',
      ].join('\n'),
    );
    expect(json).toMatchObject({
      ok: false,
      file: 'wrkbench.yml',
      mistakes: [
        { line: 7, column: 9, nearest: 'connections' },
        { line: 8, column: 14, found: '120%' },
      ],
    });
  });
});
