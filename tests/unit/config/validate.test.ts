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
        'wrkbench.yml:8:11: warning: gate.budget is 45s: seeing twice each limit takes about 2 min 50 s. Set gate.budget to 3m, or leave it out.',
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
    const { warnings } = validateSpec(leastWith(`load: {wrk: ${every}, k6: ${every}}\ngate: {budget: 90s}`), 'x.yml');
    expect(warnings.split('\n')[0]).toBe(
      'x.yml:7:16: warning: gate.budget is 90s: seeing twice each limit takes about 18 min. Set gate.budget to 18m.',
    );
  });

  it('advises nobody to wait longer who waits for so long already', () => {
    const every = '{connections: [5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 800, 1000]}';
    const { warnings } = validateSpec(leastWith(`load: {wrk: ${every}, k6: ${every}}\ngate: {budget: 7m}`), 'x.yml');
    expect(warnings).not.toContain('gate.budget');
  });

  it('says so where no budget is enough, and how much the automatic one sees', () => {
    const gate = 'gate: {budget: 45s, throughput: {max-decrease: 0.01%}, cpu-per-request: {max-increase: 5%}}';
    const { warnings } = validateSpec(leastWith(`load: {wrk: {connections: 100}}\n${gate}`), 'x.yml');
    expect(warnings.split('\n')[0]).toBe(
      'x.yml:7:16: warning: gate.budget is 45s: no budget is enough to see twice each limit, and 3 min 50 s see more. Leave it out, or raise the limits that take more.',
    );
  });

  it.each([
    ['a budget that is enough', 'gate: {budget: 1h, cpu-per-request: {max-increase: 5%}}'],
    ['no budget', ''],
    ['an automatic one', 'gate: {budget: auto}'],
    ['nothing to compare with', 'gate: {budget: 45s, baseline: none}'],
    ['stored numbers', 'gate: {budget: 45s, baseline: stored}'],
    [
      'limits of which it sees twice as much',
      'gate: {throughput: {max-decrease: 5%}, cpu-per-request: {max-increase: 5%}}',
    ],
    ['limits that are 0', 'gate: {throughput: {max-decrease: 0%}}'],
    ['limits that are quantities', 'gate: {throughput: {max-decrease: 1}}'],
  ])('does not warn of %s', (_, gate) => {
    const { warnings, json } = validateSpec(leastWith(`load: {wrk: {connections: 100}}\n${gate}`), 'wrkbench.yml');
    expect(warnings).toBe('');
    expect(json).toMatchObject({ ok: true, warnings: [] });
  });

  const MANY = Array.from({ length: 32 }, (_, at) => at + 4).join(', ');
  const ENOUGH = '11 min of comparing show';
  it.each([
    [
      'load: {wrk: {connections: 100}, k6: on}\ngate: {throughput: {max-decrease: 0.1%}}',
      `7:35: warning: gate.throughput.max-decrease is 0.1%, and ${ENOUGH} a decrease only from about 2.8 % on. Set it to 3%.`,
    ],
    [
      'load: {wrk: {connections: 100}, k6: on}\ngate: {cases: {/ping: {latency-p50: {max-increase: 0.2%}}}}',
      `7:52: warning: gate.cases./ping.latency-p50.max-increase is 0.2%, and ${ENOUGH} an increase only from about 1.4 % on. Set it to 1.5%.`,
    ],
    [
      'load: {wrk: {connections: 100}}\ngate: {budget: 1h, throughput: {max-decrease: 0.01%}}',
      '7:47: warning: gate.throughput.max-decrease is 0.01%, and 60 min of comparing show a decrease only from about 2.5 % on. Set it to 3%.',
    ],
    [
      'load: {wrk: {connections: 100}, k6: {rate: 100/s}}\ngate: {latency-p99: {max-increase: 20%}}',
      '7:36: warning: gate.latency-p99.max-increase cannot be judged (1,000 requests per round are needed, 400/s of each side: at 100/s undecided). Raise the rate of the load, or limit a lower percentile.',
    ],
    [
      `load: {wrk: {connections: [${MANY}]}, k6: {connections: [${MANY}]}}\ngate: {throughput: {max-decrease: 5%}}`,
      '7:1: warning: gate: no limit is judged within 15 min, since a verdict takes 8 rounds and 128 cases take 3 min in each. Compare fewer endpoints or connections, or set gate.budget to 24m.',
    ],
  ])('warns of a limit that the budget cannot see, with the figure and what to change: %s', (more, sentence) => {
    const { ok, warnings, json } = validateSpec(leastWith(more), 'wrkbench.yml');
    expect(warnings.split('\n')[0]).toBe(`wrkbench.yml:${sentence}`);
    expect([ok, json]).toMatchObject([true, { warnings: [{ code: 'undetectable-limit' }] }]);
  });

  it.each([['{ab: {}}'], ['{k6: {rate: vus}}']])(
    'warns of a load that judges nothing of what a request costs: %s',
    (load) => {
      const { ok, warnings, json } = validateSpec(leastWith(`load: ${load}`), 'wrkbench.yml');
      expect(warnings.split('\n')[0]).toBe(
        'wrkbench.yml:6:1: warning: load: no case is judged by throughput or CPU per request, so a candidate that needs twice the CPU for each request would pass. Use `load: {preset: standard}`, or add cases of wrk (load.wrk).',
      );
      expect([ok, json]).toMatchObject([true, { warnings: [{ code: 'undetectable-limit', path: 'load' }] }]);
      const without = (gate: string) => validateSpec(leastWith(`load: ${load}\ngate: ${gate}`), 'x.yml').json;
      expect(without('{throughput: off, cpu-per-request: off}')).toMatchObject({ warnings: [] });
      expect(without('{baseline: none}')).toMatchObject({ warnings: [] });
      expect(without('{throughput: off}')).toMatchObject({ warnings: [{ path: 'load' }] });
    },
  );

  it('warns of the limit beside a budget that cannot see it either', () => {
    const gate = 'gate: {budget: 45s, throughput: {max-decrease: 0.01%}}';
    const { json } = validateSpec(leastWith(`load: {wrk: {connections: 100}}\n${gate}`), 'x.yml');
    expect(json).toMatchObject({
      warnings: [
        { code: 'short-budget', path: 'gate.budget' },
        { code: 'undetectable-limit', path: 'gate.throughput.max-decrease', found: '0.01%' },
      ],
    });
  });

  it.each([
    ['', 'as the machine decides'],
    ['pairing: duet, ', 'as the spec says'],
  ])('warns of a limit on a change that duets do not measure: %s%s', (pairing) => {
    const gate = (limit: string) => `load: {wrk: {connections: 100}}\ngate: {${pairing}memory-settled: ${limit}}`;
    const { ok, json } = validateSpec(leastWith(gate('{max-increase: 1m}')), 'x.yml');
    expect([ok, json]).toMatchObject([
      true,
      {
        warnings: [
          {
            path: 'gate.memory-settled.max-increase',
            message:
              'gate.memory-settled.max-increase is not judged where both sides are loaded at once, since a duet does not measure it: limit memory-peak instead, or memory-settled by max.',
          },
        ],
      },
    ]);
    expect(validateSpec(leastWith(gate('{max: 30m}')), 'x.yml').warnings).toBe('');
  });

  it('does not warn of it where the sides take turns', () => {
    const gate = 'gate: {pairing: interleaved, budget: 1h, memory-settled: {max-increase: 1m}}';
    expect(validateSpec(leastWith(`load: {wrk: {connections: 100}}\n${gate}`), 'x.yml').warnings).toBe('');
  });

  it('sees twice each limit that it advises', () => {
    for (const metric of ['throughput: {max-decrease', 'cpu-per-request: {max-increase']) {
      const withLimit = (limit: string) => leastWith(`load: {wrk: {connections: 100}}\ngate: {${metric}: ${limit}}}`);
      const { json } = validateSpec(withLimit('0.1%'), 'x.yml');
      const advised = /^at least (.*)$/.exec((json.ok && json.warnings[0]?.expected) || '')?.[1];
      expect(advised).toMatch(/^\d+(\.5)?%$/);
      expect(validateSpec(withLimit(advised!), 'x.yml').warnings).toBe('');
    }
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
