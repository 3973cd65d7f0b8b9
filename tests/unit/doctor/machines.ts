import { readSpec } from '../../../src/core/config/read.ts';
import type { MachineFacts } from '../../../src/core/doctor/facts.ts';
import { type MachineNeeds, needsOf } from '../../../src/core/doctor/needs.ts';
import { planOf } from '../../../src/core/plan/plan.ts';

/** A hosted runner with everything on it: 4 CPUs, 16 GiB, Debian, a user with sudo. */
export function machine(changes: Partial<MachineFacts> = {}): MachineFacts {
  return {
    platform: 'linux',
    architecture: 'x64',
    kernel: '6.8.0-1014-azure',
    os: { name: 'Debian GNU/Linux 12 (bookworm)', families: ['debian'] },
    rights: { root: false, raisesLimits: false, setsRoutingRules: true, limitsCpuTime: true, separatesNetworks: false },
    programs: {
      wrk: { path: '/usr/bin/wrk', version: '4.1.0' },
      k6: { path: '/home/me/go/bin/k6', version: '1.8.1' },
      ab: { path: '/usr/bin/ab', version: '2.3' },
      h2load: { path: '/usr/bin/h2load', version: '1.52.0' },
      postgres: { path: '/usr/lib/postgresql/15/bin/postgres', version: '15.18' },
      pgbouncer: { path: '/usr/sbin/pgbouncer', version: '1.18.0' },
      nginx: { path: '/usr/sbin/nginx', version: '1.22.1' },
      go: { path: '/usr/bin/go', version: '1.26.8' },
      taskset: { path: '/usr/bin/taskset', version: '2.38.1' },
      perf: { path: '/usr/bin/perf', version: '6.1.187' },
    },
    engine: { state: 'answers', version: '28.2.2', openFiles: 1_048_576 },
    cpu: {
      model: 'AMD EPYC 7763 64-Core Processor',
      usable: 4,
      quota: null,
      governor: null,
      now: { stealShare: 0, otherShare: 0.01, busiest: null },
    },
    openFiles: { hard: 524_288, kernelMost: 1_048_576 },
    ports: { first: 32_768, last: 60_999, timeWait: 0 },
    tcpTwReuse: 1,
    somaxconn: 4096,
    conntrack: { max: 262_144, count: 40 },
    memory: { totalBytes: 16 * 1024 ** 3, availableBytes: 14 * 1024 ** 3, swapUsedBytes: 0 },
    sharedMemoryBytes: 8 * 1024 ** 3,
    output: { path: '/home/me/api', writable: true, availableBytes: 20 * 1024 ** 3 },
    ...changes,
  };
}

export function root(changes: Partial<MachineFacts> = {}): MachineFacts {
  return machine({
    rights: { root: true, raisesLimits: true, setsRoutingRules: true, limitsCpuTime: true, separatesNetworks: true },
    ...changes,
  });
}

/** What a spec needs; `lines` go under the one service and endpoint that every spec here has. */
export function needs(lines = '', service = 'image: acme/api, command: [node, server.js]'): MachineNeeds {
  const text = `
name: api
services:
  go: {${service}, port: 8080}
endpoints:
  ping: {path: /ping}
${lines}`;
  const spec = readSpec(text, 'wrkbench.yml');
  return needsOf(spec, planOf(spec, { seed: 1, quick: false, only: null }));
}
