import { describe, expect, it } from 'vitest';
import { doctor, doctorJson, doctorText } from '../../../src/app/doctor.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { ok, problem, warning } from '../../../src/core/doctor/finding.ts';
import { conclusion, findingsText } from '../../../src/core/doctor/findings-text.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { machine } from './machines.ts';

const bare = () => {
  const facts = machine({ engine: { state: 'missing' }, tcpTwReuse: 2, somaxconn: 512 });
  facts.programs.wrk = null;
  return facts;
};

describe('what doctor prints', () => {
  it('is aligned, marked, wrapped, with commands on lines of their own', () => {
    expect(doctorText(doctor(null, null, bare()), { width: 100 })).toBe(`\
✓ platform        Debian GNU/Linux 12 (bookworm), x86-64
! engine          There is no docker command on this machine. Services run as processes instead.
                  sudo apt-get install -y --no-install-recommends docker.io iptables
✗ wrk             wrk is not on this machine. It drives 4 cases and warms up for all.
                  sudo apt-get install -y --no-install-recommends wrk
✓ k6              1.8.1 (/home/me/go/bin/k6)
✓ cores           4 CPUs (AMD EPYC 7763 64-Core Processor)
✓ open-files      1,000 connections need 1,256 open files; the limit is 524,288
✓ ports           28,232 local ports (32768-60999) for 1,000 connections
✓ port-reuse      tcp_tw_reuse=2: ports of closed connections are used again after a second
! listen-backlog  1,000 connections are opened at once, and net.core.somaxconn is 512: what does not
                  fit tries again after 1, 3 and 7 seconds. Cases where some never get through are
                  marked connections-lost.
                  sudo sysctl -w net.core.somaxconn=1024
✓ conntrack       30,272 tracked connections expected, nf_conntrack_max is 262,144
✓ disk            20.0 GiB free in /home/me/api; the run leaves up to 8.6 MiB
✓ memory          14.0 GiB of memory available; service, database and generator may take 415 MiB
✓ steal           0 % of the CPU time taken by the hypervisor just now
✓ other-load      1 % of the CPUs used by other processes just now

1 problem, 2 warnings: wrkbench run does not start until it is fixed.
`);
  });

  it('colours the marks where it is told how', () => {
    const paint = (severity: string, mark: string) => `<${severity}>${mark}`;
    expect(findingsText([ok('a', 'fine'), problem('b', 'gone', 'fetch it')], { width: 80, paint })).toBe(
      '<ok>✓ a  fine\n<problem>✗ b  gone\n     fetch it\n\n1 problem: wrkbench run does not start until it is fixed.\n',
    );
  });

  it('never breaks a command or a long word, however narrow the terminal', () => {
    const text = findingsText([warning('x', `see ${'a'.repeat(60)}`, 'b '.repeat(60).trim())], { width: 10 });
    expect(text.split('\n').slice(0, 3)).toEqual([
      '! x  see',
      `     ${'a'.repeat(60)}`,
      `     ${'b '.repeat(60).trim()}`,
    ]);
  });

  it('ends in a sentence', () => {
    const one = warning('w', 'hm', null);
    const gone = problem('l', 'gone', null);
    expect(conclusion([])).toBe('Nothing is missing.');
    expect(conclusion([ok('a', 'fine'), one])).toBe('Nothing is missing; 1 warning.');
    expect(conclusion([gone, gone])).toBe('2 problems: wrkbench run does not start until they are fixed.');
  });
});

describe('what doctor tells a program', () => {
  it('is whether a run may start, in which runtime, and every finding', () => {
    const report = doctor(null, null, bare());
    expect(JSON.parse(doctorJson(report))).toEqual({ ok: false, runtime: 'process', findings: report.findings });
    expect(report.findings[1]).toEqual({
      code: 'engine',
      severity: 'warning',
      message: 'There is no docker command on this machine. Services run as processes instead.',
      command: 'sudo apt-get install -y --no-install-recommends docker.io iptables',
    });
  });

  it('is about the spec that it is given, and what was asked for', () => {
    const text = 'name: a\nservices: {go: {image: a/b, port: 80}}\nendpoints: {p: {path: /}}\nload: {k6: {}}\n';
    const spec = readSpec(text, 'wrkbench.yml');
    const plan = planOf(spec, { seed: 1, quick: false, only: null });
    const codes = doctor(spec, plan, machine(), 'docker').findings.map(({ code }) => code);
    expect(codes).toContain('k6');
    expect(doctor(spec, plan, machine()).ok).toBe(true);
    expect(doctor(spec, plan, machine({ engine: { state: 'missing' } }))).toMatchObject({
      ok: false,
      runtime: 'docker',
    });
  });
});
