import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { leastWith, RIGHT_SPECS } from './specs.ts';

describe('validate', () => {
  it('says in one line what a right spec comes to', () => {
    expect(validateSpec(RIGHT_SPECS['everything.yml']!, 'wrkbench.yml')).toMatchObject({
      ok: true,
      text: 'wrkbench.yml is valid: 2 services, 3 endpoints, 84 cases, about 21 min\n',
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

  const SHORT = leastWith(
    'load: {wrk: {connections: 100}}\ngate:\n  budget: 45s\n  cpu-per-request: {max-increase: 5%}\n',
  );

  it('warns of a written budget that cannot see twice each limit, and where it stands', () => {
    const { ok, text, warnings, json } = validateSpec(SHORT, 'wrkbench.yml');
    expect([ok, text]).toEqual([true, 'wrkbench.yml is valid: 1 service, 1 endpoint, 2 cases, about 31 s\n']);
    expect(warnings).toBe(
      [
        'wrkbench.yml:8:11: warning: gate.budget is 45s: seeing twice each limit takes about 2 min 20 s. Set gate.budget to 3m, or leave it out.',
        '  8 |   budget: 45s',
        '    |           ^^^',
        '',
      ].join('\n'),
    );
    expect(json).toMatchObject({
      ok: true,
      warnings: [
        {
          ...{ code: 'short-budget', file: 'wrkbench.yml', line: 8, column: 11, length: 3, path: 'gate.budget' },
          ...{ found: '45s', expected: 'at least 3m' },
        },
      ],
    });
  });

  it('does not advise to leave out a budget where the automatic one would be too short as well', () => {
    const every = '{connections: [5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 800, 1000]}';
    const { warnings } = validateSpec(leastWith(`load: {wrk: ${every}, k6: ${every}}\ngate: {budget: 5m}`), 'x.yml');
    expect(warnings.split('\n')[0]).toBe(
      'x.yml:7:16: warning: gate.budget is 5m: seeing twice each limit takes about 19 min. Set gate.budget to 19m.',
    );
  });

  it('says so where no budget is enough, and how much the automatic one sees', () => {
    const gate = 'gate: {budget: 45s, throughput: {max-decrease: 0.01%}, cpu-per-request: {max-increase: 5%}}';
    const { warnings } = validateSpec(leastWith(`load: {wrk: {connections: 100}}\n${gate}`), 'x.yml');
    expect(warnings.split('\n')[0]).toBe(
      'x.yml:7:16: warning: gate.budget is 45s: no budget is enough to see twice each limit, and 4 min 30 s see more. Leave it out, or raise the limits that take more.',
    );
  });

  it.each([
    ['a budget that is enough', 'gate: {budget: 1h, cpu-per-request: {max-increase: 5%}}'],
    ['no budget', ''],
    ['an automatic one', 'gate: {budget: auto}'],
    ['nothing to compare with', 'gate: {budget: 45s, baseline: none}'],
    ['stored numbers', 'gate: {budget: 45s, baseline: stored}'],
    ['limits that no budget shows better', 'gate: {budget: 1h, throughput: {max-decrease: 0.01%}}'],
  ])('does not warn of %s', (_, gate) => {
    const { warnings, json } = validateSpec(leastWith(`load: {wrk: {connections: 100}}\n${gate}`), 'wrkbench.yml');
    expect(warnings).toBe('');
    expect(json).toMatchObject({ ok: true, warnings: [] });
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
        'wrkbench.yml:7:9: unknown key `conections` in load.wrk: did you mean `connections`?',
        '  7 |   wrk: {conections: [100]}',
        '    |         ^^^^^^^^^^',
        '',
        'wrkbench.yml:8:14: load.k6.rate is `120%`: expected more than 0% and at most 100%',
        '  8 |   k6: {rate: 120%}',
        '    |              ^^^^',
        '',
        '2 errors in wrkbench.yml',
        '',
      ].join('\n'),
    );
    expect(json).toMatchObject({
      ok: false,
      file: 'wrkbench.yml',
      diagnostics: [
        { line: 7, column: 9, nearest: 'connections' },
        { line: 8, column: 14, found: '120%' },
      ],
    });
  });
});
