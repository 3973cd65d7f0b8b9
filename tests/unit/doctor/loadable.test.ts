import { describe, expect, it } from 'vitest';
import { doctor } from '../../../src/app/doctor.ts';
import { planReport } from '../../../src/app/plan.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { MachineFacts } from '../../../src/core/doctor/facts.ts';
import { loadablePart, notLoadableReason } from '../../../src/core/doctor/loadable.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { machine } from './machines.ts';

function spec(load = '{wrk: {connections: [2, 400, 20000], keep-alive: on}, warm-up: 1s}', rest = ''): ResolvedSpec {
  const text = `name: pong
services: {go: {image: acme/api, command: [./go], port: 8080}, node: {image: acme/node, command: [node], port: 8080}}
endpoints: {ping: /ping}
load: ${load}
gate: {baseline: none}
${rest}`;
  return readSpec(text, 'wrkbench.yml');
}

const narrow = { openFiles: { hard: 4096, kernelMost: 1_048_576 } };
const partOf = (facts: Partial<MachineFacts>, of = spec(), wanted: 'process' | 'docker' = 'process') =>
  loadablePart(of, planOf(of, { seed: 1 }), machine(facts), wanted);
const keys = (cases: readonly { key: string }[]) => cases.map(({ key }) => key).sort();
const left = ({ plan }: ReturnType<typeof partOf>) => keys(plan.services.flatMap(({ cases }) => cases));
const reasons = ({ unloadable }: ReturnType<typeof partOf>) => unloadable.map(notLoadableReason);

const MANY = ['go/ping/direct/wrk/keep-alive/20000', 'node/ping/direct/wrk/keep-alive/20000'];
const FEW = ['go', 'node'].flatMap((name) => [2, 400].map((count) => `${name}/ping/direct/wrk/keep-alive/${count}`));
const OPEN_FILES =
  '20,000 connections need 20,256 open files; the hard limit of this shell is 4,096. Raise it in the shell that starts wrkbench:';
const RAISE = 'sudo prlimit --pid $$ --nofile=20256:20256';

describe('the part of a plan that a machine can load', () => {
  it('is the whole plan, where the machine can', () => {
    const whole = planOf(spec(), { seed: 1 });
    expect(partOf({})).toEqual({ plan: whole, unloadable: [] });
  });

  it('lacks the cases beyond the limit of open files, and takes less time', () => {
    const part = partOf(narrow);
    expect(left(part)).toEqual(keys(FEW.map((key) => ({ key }))));
    expect(keys(part.unloadable.map((each) => each.case))).toEqual(MANY);
    const reason = { code: 'machine-limit', message: `not measured: ${OPEN_FILES} ${RAISE}` };
    expect(reasons(part)).toEqual([reason, reason]);
    expect(part.plan.estimate.loadSeconds).toBe(4 * 11);
  });

  it('lacks those beyond the local ports, or what the kernel tracks', () => {
    expect(reasons(partOf({ ports: { first: 50_000, last: 59_999, timeWait: 0 } }))[0]!.message).toBe(
      'not measured: 20,000 connections to one address need as many local ports; there are 10,000 local ports ' +
        '(50000-59999). Change it with: sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"',
    );
    expect(reasons(partOf({ conntrack: { max: 8192, count: 40 } }))[0]!.message).toBe(
      'not measured: 40,040 tracked connections expected, nf_conntrack_max is 8,192: the kernel drops connections that ' +
        'it cannot track. Change it with: sudo sysctl -w net.netfilter.nf_conntrack_max=65536',
    );
  });

  it('lacks only what goes through the gateway, where that has two files for each connection', () => {
    const through = spec('{wrk: {connections: 3000, keep-alive: on}}', 'gateway: {kind: nginx}');
    const part = partOf(narrow, through);
    expect(left(part)).toEqual(['go/ping/direct/wrk/keep-alive/3000', 'node/ping/direct/wrk/keep-alive/3000']);
  });

  it('is held against the limit that the engine gives a container, where services are containers', () => {
    const engine = { state: 'answers', version: '28.2.2', openFiles: 1024 } as const;
    expect(reasons(partOf({ engine }, spec(), 'docker'))[0]!.message).toMatch(
      /^not measured: 20,000 connections need 20,256 open files in a container; the engine can give 1,024\. /,
    );
    expect(partOf({ engine }).unloadable).toEqual([]);
  });

  it('is the whole plan as well where no case can be loaded: such a run is refused', () => {
    const part = partOf({ openFiles: { hard: 100, kernelMost: 100 } });
    expect(part.plan).toEqual(planOf(spec(), { seed: 1 }));
    expect(part.unloadable).toHaveLength(6);
  });
});

describe('doctor', () => {
  const examined = (facts: Partial<MachineFacts>) =>
    doctor(spec(), planOf(spec(), { seed: 1 }), machine(facts), 'process');

  it('lets a run start without the cases that the machine cannot load, and names them', () => {
    const { ok, findings } = examined(narrow);
    expect(ok).toBe(true);
    expect(findings.filter(({ code }) => code === 'open-files' || code === 'not-measured')).toEqual([
      {
        code: 'open-files',
        severity: 'ok',
        message: '400 connections need 656 open files; the limit is 4,096',
        command: null,
      },
      {
        code: 'not-measured',
        severity: 'warning',
        message: `2 cases of 6 are beyond what this machine can load, and will not be measured: ${OPEN_FILES}`,
        command: RAISE,
      },
    ]);
  });

  it('lets no run start where no case can be loaded', () => {
    const { ok, findings } = examined({ openFiles: { hard: 100, kernelMost: 1_048_576 } });
    expect(ok).toBe(false);
    expect(findings.filter(({ severity }) => severity === 'problem').map(({ code }) => code)).toEqual(['open-files']);
    expect(findings.map(({ code }) => code)).not.toContain('not-measured');
  });
});

describe('plan', () => {
  const few = spec('{wrk: {connections: [2, 20000], keep-alive: on}, warm-up: 1s}');

  it('leaves out what this machine cannot load, and says what to change', () => {
    const { text, json } = planReport(few, { seed: 1 }, machine({ ...narrow, engine: { state: 'missing' } }));
    expect(text).toBe(
      [
        'pong: 2 cases of 2 services, about 29 s, of which 22 s are load (seed 1)',
        '',
        'node, about 15 s',
        '  node/ping/direct/wrk/keep-alive/2  GET /ping  2 threads, 10 s',
        '',
        'go, about 15 s',
        '  go/ping/direct/wrk/keep-alive/2    GET /ping  2 threads, 10 s',
        '',
        'Not on this machine: 2 cases of 4; they are left out until that is changed',
        '  node/ping/direct/wrk/keep-alive/20000',
        '  go/ping/direct/wrk/keep-alive/20000',
        `  ${OPEN_FILES}`,
        `    ${RAISE}`,
        '',
      ].join('\n'),
    );
    const entry = { code: 'open-files', message: OPEN_FILES, command: RAISE };
    expect(json).toMatchObject({
      caseCount: 2,
      notMeasured: [
        { case: 'node/ping/direct/wrk/keep-alive/20000', ...entry },
        { case: 'go/ping/direct/wrk/keep-alive/20000', ...entry },
      ],
    });
  });

  it('says that a run is refused where the machine can load nothing of it', () => {
    const nothing = machine({ openFiles: { hard: 100, kernelMost: 1_048_576 }, engine: { state: 'missing' } });
    const { text } = planReport(few, { seed: 1 }, nothing);
    expect(text).toContain('pong: 4 cases of 2 services');
    expect(text).toContain('\nNot on this machine: 2 cases of 4; a run is refused until that is changed\n');
  });
});
