import { describe, expect, it } from 'vitest';
import { isUndisturbed } from '../../../src/core/doctor/disturbance.ts';
import type { MachineFacts } from '../../../src/core/doctor/facts.ts';
import { type Finding, findingsOf } from '../../../src/core/doctor/findings.ts';
import type { MachineNeeds } from '../../../src/core/doctor/needs.ts';
import { runtimeOf, type WantedRuntime } from '../../../src/core/doctor/runtime.ts';
import { machine, needs, root } from './machines.ts';

const found = (code: string, facts: MachineFacts, wanting: MachineNeeds = needs(), runtime?: WantedRuntime) =>
  findingsOf(wanting, facts, runtime).find((finding) => finding.code === code);
const codes = (findings: Finding[], severity: Finding['severity']) =>
  findings.filter((finding) => finding.severity === severity).map(({ code }) => code);

const POSTED = needs('load: {preset: event-pong}');
const EVERYTHING = needs('database: {pooler: {kind: pgbouncer}}\ngateway: {kind: nginx}\nload: {k6: {}, ab: {}}');
const NOTHING_INSTALLED: MachineFacts['programs'] = {
  ...{
    wrk: null,
    k6: null,
    ab: null,
    h2load: null,
    postgres: null,
    pgbouncer: null,
    nginx: null,
    go: null,
    taskset: null,
    perf: null,
  },
};

describe('a machine that has everything', () => {
  it('lacks nothing, and says what was looked at, in containers', () => {
    expect(codes(findingsOf(EVERYTHING, machine()), 'ok')).toEqual([
      ...['platform', 'engine', 'wrk', 'k6', 'ab', 'cores', 'open-files', 'container-open-files'],
      ...['ports', 'port-reuse', 'listen-backlog', 'conntrack', 'metadata', 'disk', 'memory', 'steal', 'other-load'],
    ]);
    expect(findingsOf(EVERYTHING, machine())).toHaveLength(17);
  });

  it('looks for the local programs where services run as processes', () => {
    const findings = findingsOf(EVERYTHING, machine(), 'process');
    expect(codes(findings, 'ok')).toEqual([
      ...['platform', 'wrk', 'k6', 'ab', 'postgres', 'pgbouncer', 'nginx', 'cores', 'open-files'],
      ...[
        'ports',
        'port-reuse',
        'listen-backlog',
        'conntrack',
        'disk',
        'memory',
        'shared-memory',
        'steal',
        'other-load',
      ],
    ]);
    expect(findings).toHaveLength(18);
  });

  it('does not look at what cannot be told, and takes that for no lack', () => {
    const blind = machine({
      openFiles: null,
      ports: null,
      tcpTwReuse: null,
      somaxconn: null,
      conntrack: null,
      sharedMemoryBytes: 1024 ** 3,
      cpu: { model: 'unknown', usable: 8, quota: null, governor: null, now: null },
      output: { path: '/', writable: true, availableBytes: null },
    });
    expect(findingsOf(needs(), blind, 'process').map(({ code, severity }) => [code, severity])).toEqual([
      ['platform', 'ok'],
      ['wrk', 'ok'],
      ['k6', 'ok'],
      ['cores', 'ok'],
      ['memory', 'ok'],
    ]);
  });
});

describe('the platform', () => {
  it('is Linux on x86-64 or arm64', () => {
    expect(found('platform', machine())).toMatchObject({ message: 'Debian GNU/Linux 12 (bookworm), x86-64' });
    expect(found('platform', machine({ architecture: 'arm64' }))).toMatchObject({
      severity: 'ok',
      message: 'Debian GNU/Linux 12 (bookworm), arm64',
    });
    expect(found('platform', machine({ architecture: 'riscv64' }))).toMatchObject({
      severity: 'warning',
      message: 'wrkbench is tried on x86-64 and arm64; this is riscv64.',
    });
  });

  it('may be macOS for processes, and lacks a way to containers there', () => {
    const mac = machine({ platform: 'darwin' });
    expect(found('platform', mac)).toMatchObject({
      severity: 'warning',
      message:
        'macOS is meant to run services as processes (--runtime process), and was not tried; containers and their figures need Linux.',
    });
    expect(findingsOf(needs(), mac, 'docker')).toEqual([
      {
        code: 'platform',
        severity: 'problem',
        message:
          'On macOS services run as processes only (--runtime process, with a command for each service in the spec): containers have no address there that a generator reaches.',
        command: null,
      },
    ]);
    expect(found('engine', machine({ platform: 'darwin', engine: { state: 'missing' } }))).toBeUndefined();
  });

  it('is nothing else: one sentence, and nothing more is looked at', () => {
    expect(findingsOf(needs(), machine({ platform: 'win32' }))).toEqual([
      {
        code: 'platform',
        severity: 'problem',
        message: 'wrkbench does not run on Windows itself: use it inside WSL 2, where all of it works.',
        command: 'wsl --install -d Debian',
      },
    ]);
    expect(findingsOf(needs(), machine({ platform: 'freebsd' }))).toEqual([
      { code: 'platform', severity: 'problem', message: 'wrkbench does not run on freebsd: use Linux.', command: null },
    ]);
  });
});

describe('the engine', () => {
  const IMAGE_ONLY = needs('', 'image: acme/api');

  it('is named with its version', () => {
    expect(found('engine', machine())).toMatchObject({ severity: 'ok', message: 'Docker 28.2.2' });
  });

  it('lacks where only containers can be started', () => {
    expect(found('engine', machine({ engine: { state: 'missing' } }), IMAGE_ONLY)).toEqual({
      code: 'engine',
      severity: 'problem',
      message: 'There is no docker command on this machine.',
      command: 'sudo apt-get install -y --no-install-recommends docker.io iptables',
    });
    expect(
      found('engine', root({ engine: { state: 'silent', said: 'is the docker daemon running?' } }), IMAGE_ONLY),
    ).toEqual({
      code: 'engine',
      severity: 'problem',
      message: 'No Docker engine answers (is the docker daemon running?).',
      command: 'systemctl start docker || (dockerd >/dev/null 2>&1 &)',
    });
    expect(found('engine', machine({ engine: { state: 'forbidden', said: 'permission denied' } }), IMAGE_ONLY)).toEqual(
      {
        code: 'engine',
        severity: 'problem',
        message: 'This user may not use the Docker engine.',
        command: 'sudo usermod -aG docker "$USER" && newgrp docker',
      },
    );
  });

  it('is worth a warning where processes do, and no word where processes were asked for', () => {
    const without = machine({ engine: { state: 'missing' }, os: { name: 'Fedora 43', families: ['fedora'] } });
    expect(found('engine', without)).toEqual({
      code: 'engine',
      severity: 'warning',
      message: 'There is no docker command on this machine. Services run as processes instead.',
      command: 'curl -fsSL https://get.docker.com | sudo sh',
    });
    expect(found('engine', without, needs(), 'process')).toBeUndefined();
    expect(found('engine', machine(), needs(), 'process')).toBeUndefined();
  });

  it('is none where nothing can be measured with it, and says itself what to do', () => {
    const rootless = machine({ engine: { state: 'unusable', said: 'The Docker engine is rootless.' } });
    expect(found('engine', rootless, IMAGE_ONLY)).toEqual({
      code: 'engine',
      severity: 'problem',
      message: 'The Docker engine is rootless.',
      command: null,
    });
    expect(found('engine', rootless)).toMatchObject({
      severity: 'warning',
      message: 'The Docker engine is rootless. Services run as processes instead.',
    });
  });

  it('cannot help a service that the chosen runtime has no way to start', () => {
    const processOnly = needs('', 'command: [./api]');
    expect(found('services', machine(), processOnly, 'docker')).toMatchObject({
      severity: 'problem',
      message:
        'Without an image or a build in the spec there is no container for: go. Add one, or use --runtime process.',
    });
    expect(found('services', machine(), IMAGE_ONLY, 'process')).toMatchObject({
      severity: 'problem',
      message: 'Without a command in the spec there is no process for: go. Add one, or use --runtime docker.',
    });
    expect(found('services', machine(), processOnly)).toBeUndefined();
  });

  it('says that processes cannot have a part of a CPU where their CPU time cannot be limited', () => {
    const part = needs('', 'image: acme/api, command: [./api], cpus: 0.5');
    const powerless = machine({
      rights: {
        root: false,
        raisesLimits: false,
        setsRoutingRules: false,
        limitsCpuTime: false,
        separatesNetworks: false,
      },
    });
    expect(found('cpu-time', powerless, part, 'process')).toEqual({
      code: 'cpu-time',
      severity: 'problem',
      message:
        'The CPU time of processes cannot be limited here, which a part of a CPU (`cpus`) in the spec asks for: go. Run as root on Linux, use --runtime docker, or give whole CPUs.',
      command: null,
    });
    expect(found('cpu-time', powerless, part, 'docker')).toBeUndefined();
    expect(found('cpu-time', machine(), part, 'process')).toBeUndefined();
    expect(
      found('cpu-time', powerless, needs('', 'image: acme/api, command: [./api], cpus: 1'), 'process'),
    ).toBeUndefined();
  });

  it('is needed for a network without a way out, which only root can give a process', () => {
    const internal = needs('', 'image: acme/api, command: [./api], network: internal');
    expect(found('network', machine(), internal)).toBeUndefined();
    expect(found('network', machine(), internal, 'process')).toEqual({
      code: 'network',
      severity: 'problem',
      message:
        "A process cannot be kept from the machine's network here, which `network: internal` in the spec asks for: go. Run as root on Linux with the command ip (iproute2), use --runtime docker, or leave the key out.",
      command: null,
    });
    const without = machine({ engine: { state: 'missing' } });
    expect(found('engine', without, internal)).toMatchObject({ severity: 'problem' });
    expect(found('network', without, internal)).toBeUndefined();
    const rights = { ...machine().rights, root: true, separatesNetworks: true };
    expect(found('network', machine({ rights }), internal, 'process')).toBeUndefined();
    expect(runtimeOf(internal, machine({ engine: { state: 'missing' }, rights }), 'auto')).toBe('process');
    expect(runtimeOf(internal, without, 'auto')).toBe('docker');
  });
});

describe('programs', () => {
  it('are lacking with the command that installs them, on Debian', () => {
    const bare = machine({ programs: { ...NOTHING_INSTALLED, go: { path: '/usr/bin/go', version: '1.24.1' } } });
    const findings = findingsOf(EVERYTHING, bare, 'process').filter(({ severity }) => severity === 'problem');
    const apt = 'sudo apt-get install -y --no-install-recommends';
    expect(findings.map(({ code, message, command }) => [code, message, command])).toEqual([
      ['wrk', 'wrk is not on this machine. It warms up for all cases.', `${apt} wrk`],
      ['k6', 'k6 is not on this machine. It drives 4 cases.', 'go install go.k6.io/k6/v2@v2.1.0'],
      ['ab', 'ab is not on this machine. It drives 2 cases.', `${apt} apache2-utils`],
      ['taskset', 'taskset is not on this machine. It holds the generator to its own CPUs.', `${apt} util-linux`],
      ['postgres', 'postgres is not on this machine. The spec has a database.', `${apt} postgresql`],
      ['pgbouncer', 'pgbouncer is not on this machine. The spec has a pooler.', `${apt} pgbouncer`],
      ['nginx', 'nginx is not on this machine. The spec has a gateway.', `${apt} nginx-light`],
    ]);
  });

  it.each([
    ['debian', 'linux', 'apt-get install -y --no-install-recommends wrk'],
    ['alpine', 'linux', 'apk add wrk'],
    [
      'fedora',
      'linux',
      'git clone --depth 1 https://github.com/wg/wrk && make -C wrk && install wrk/wrk /usr/local/bin/',
    ],
    [
      'nixos',
      'linux',
      'git clone --depth 1 https://github.com/wg/wrk && make -C wrk && install wrk/wrk /usr/local/bin/',
    ],
    ['', 'darwin', 'brew install wrk'],
  ])('come from what %s (%s) has', (family, platform, command) => {
    const facts = root({ platform, os: { name: family, families: [family] }, programs: NOTHING_INSTALLED });
    expect(found('wrk', facts, needs(), 'process')?.command).toBe(command);
  });

  it('are installed by nobody where no package is known', () => {
    const facts = root({ os: { name: 'NixOS', families: ['nixos'] }, programs: NOTHING_INSTALLED });
    expect(found('postgres', facts, EVERYTHING, 'process')).toMatchObject({ severity: 'problem', command: null });
  });

  it('say which Go the command for k6 needs, where it is not there', () => {
    const note =
      'k6 is not on this machine. It drives 4 cases. The command needs Go 1.21 or later (https://go.dev/dl); packages: https://grafana.com/docs/k6/latest/set-up/install-k6/.';
    const { programs } = machine();
    expect(found('k6', machine({ programs: { ...programs, k6: null, go: null } }), EVERYTHING)?.message).toBe(note);
    const old = { path: '/usr/bin/go', version: '1.19.8' };
    expect(found('k6', machine({ programs: { ...programs, k6: null, go: old } }), EVERYTHING)?.message).toBe(note);
  });

  it('are lacking where they are too old, and trusted where they do not tell', () => {
    const { programs } = machine();
    const withWrk = (version: string | null) =>
      machine({ programs: { ...programs, wrk: { path: '/opt/wrk', version } } });
    expect(found('wrk', withWrk('3.1.2'))).toEqual({
      code: 'wrk',
      severity: 'problem',
      message: '/opt/wrk is version 3.1.2; 4.0 or later is needed. It drives 4 cases and warms up for all.',
      command: 'sudo apt-get install -y --no-install-recommends wrk',
    });
    expect(found('wrk', withWrk('4'))?.severity).toBe('ok');
    expect(found('wrk', withWrk('4.0.0'))).toMatchObject({ severity: 'ok', message: '4.0.0 (/opt/wrk)' });
    expect(found('wrk', withWrk('10.0'))?.severity).toBe('ok');
    expect(found('wrk', withWrk(null))).toMatchObject({
      severity: 'ok',
      message: '/opt/wrk, whose version is unknown',
    });
  });
});

describe('open files', () => {
  const openFiles = { hard: 4096, kernelMost: 1_048_576 };

  it('are lacking where 20,000 connections meet a lower hard limit', () => {
    expect(found('open-files', machine({ openFiles }), POSTED)).toEqual({
      code: 'open-files',
      severity: 'problem',
      message:
        '20,000 connections need 20,256 open files; the hard limit of this shell is 4,096. Raise it in the shell that starts wrkbench:',
      command: 'sudo prlimit --pid $$ --nofile=20256:20256',
    });
  });

  it('are no lack where wrkbench may raise the limit itself', () => {
    expect(found('open-files', root({ openFiles }), POSTED)).toEqual({
      code: 'open-files',
      severity: 'ok',
      message: '20,000 connections need 20,256 open files; the limit is 4,096, and wrkbench raises it itself',
      command: null,
    });
  });

  it('are a lack for a root that may not raise limits, with no command that could help from inside', () => {
    const facts = root({
      openFiles,
      rights: {
        root: true,
        raisesLimits: false,
        setsRoutingRules: false,
        limitsCpuTime: false,
        separatesNetworks: true,
      },
    });
    expect(found('open-files', facts, POSTED)).toEqual({
      code: 'open-files',
      severity: 'problem',
      message:
        '20,000 connections need 20,256 open files; the hard limit of this shell is 4,096, and this root may not raise it (no CAP_SYS_RESOURCE). Raise it outside, where this machine or container is started (docker run --ulimit nofile=20256:20256), or measure fewer connections.',
      command: null,
    });
  });

  it('need the kernel to let limits be raised that far', () => {
    const facts = root({ openFiles: { hard: 4096, kernelMost: 8192 } });
    expect(found('open-files', facts, POSTED)?.command).toBe(
      'sysctl -w fs.nr_open=20256 && prlimit --pid $$ --nofile=20256:20256',
    );
  });

  it('are enough without any limit', () => {
    const facts = machine({ openFiles: { hard: Number.POSITIVE_INFINITY, kernelMost: 1_048_576 } });
    expect(found('open-files', facts, POSTED)).toMatchObject({
      severity: 'ok',
      message: '20,000 connections need 20,256 open files; there is no limit',
    });
  });

  it('count twice for each connection through a gateway that runs here', () => {
    const gateway = needs('load: {preset: event-pong}\ngateway: {kind: nginx}');
    const facts = machine({ openFiles: { hard: 30_000, kernelMost: 1_048_576 } });
    expect(found('open-files', facts, gateway, 'process')?.message).toContain(
      '20,000 connections need 40,256 open files',
    );
    expect(found('open-files', facts, gateway, 'docker')?.severity).toBe('ok');
  });

  it('are lacking in containers where the engine itself has fewer', () => {
    const facts = machine({ engine: { state: 'answers', version: '28.2.2', openFiles: 20_000 } });
    expect(found('container-open-files', facts, POSTED)).toEqual({
      code: 'container-open-files',
      severity: 'problem',
      message:
        "20,000 connections need 20,256 open files in a container; the engine can give 20,000. Raise the engine's own limit:",
      command: "sudo sh -c 'for pid in $(pidof dockerd containerd); do prlimit --pid $pid --nofile=20256:20256; done'",
    });
    expect(found('container-open-files', facts)?.severity).toBe('ok');
    const bounded = {
      ...facts,
      rights: {
        root: true,
        raisesLimits: false,
        setsRoutingRules: false,
        limitsCpuTime: false,
        separatesNetworks: true,
      },
    };
    expect(found('container-open-files', bounded, POSTED)).toMatchObject({
      severity: 'problem',
      message:
        '20,000 connections need 20,256 open files in a container; the engine can give 20,000, and this root may not raise it (no CAP_SYS_RESOURCE). Start the engine where limits are higher, or measure fewer connections.',
      command: null,
    });
    const elsewhere = machine({ engine: { state: 'answers', version: '28.2.2', openFiles: null } });
    expect(found('container-open-files', elsewhere, POSTED)).toBeUndefined();
  });

  it('may be too few by the spec itself', () => {
    const narrow = needs('load: {preset: event-pong}', 'image: acme/api, open-files: 1024');
    expect(found('service-open-files', machine(), narrow)).toMatchObject({
      severity: 'warning',
      message:
        'The service go may open 1,024 files and has 20,000 connections to hold. Raise its open-files in the spec, or leave it out.',
    });
  });
});

describe('CPUs, memory and disk', () => {
  it('one CPU works, marked', () => {
    const { cpu } = machine();
    expect(found('cores', machine({ cpu: { ...cpu, usable: 1 } }))).toMatchObject({
      severity: 'warning',
      message:
        'There is one CPU: the generator shares it with what it measures, and every result shows both. Use a machine with 2 CPUs or more.',
    });
    expect(found('cores', machine())).toMatchObject({
      severity: 'ok',
      message: '4 CPUs (AMD EPYC 7763 64-Core Processor)',
    });
  });

  it('a quota pauses what is measured', () => {
    const { cpu } = machine();
    expect(found('cores', machine({ cpu: { ...cpu, quota: 1.5 } }))).toMatchObject({
      severity: 'warning',
      message:
        '4 CPUs are there, and a quota stops everything after 1.5 of them are used: latencies show its pauses. Start this container with whole CPUs (docker run --cpuset-cpus instead of --cpus).',
    });
    expect(found('cores', machine({ cpu: { ...cpu, quota: 4 } }))?.severity).toBe('ok');
  });

  it('memory that is not there is a warning', () => {
    const memory = { totalBytes: 1024 ** 3, availableBytes: 300 * 1024 ** 2, swapUsedBytes: 0 };
    expect(found('memory', machine({ memory }))).toEqual({
      code: 'memory',
      severity: 'warning',
      message:
        '300 MiB of memory available; service, database and generator may take 415 MiB. End what else runs, or lower memory and shared_buffers in the spec.',
      command: 'ps -eo rss,pid,comm --sort=-rss | head -n 10',
    });
  });

  it('a disk without room is a problem, one with little of it a warning', () => {
    const disk = (availableBytes: number) =>
      machine({ output: { path: '/mnt/my disk', writable: true, availableBytes } });
    expect(found('disk', disk(2.5 * 1024 ** 2))).toEqual({
      code: 'disk',
      severity: 'problem',
      message:
        '2.5 MiB free in /mnt/my disk; the run leaves up to 8.6 MiB. Free some, or name a folder on another disk with --out.',
      command: "du -xh --max-depth=1 '/mnt/my disk' | sort -rh | head -n 10",
    });
    expect(found('disk', disk(30 * 1024 ** 2))).toMatchObject({ severity: 'warning' });
    expect(found('disk', disk(3 * 1024 ** 3))).toMatchObject({
      severity: 'ok',
      message: '3.0 GiB free in /mnt/my disk; the run leaves up to 8.6 MiB',
    });
  });

  it('a folder that may not be written is a lack', () => {
    const output = { path: '/srv/results', writable: false, availableBytes: 1024 ** 3 };
    expect(found('disk', machine({ output }))).toEqual({
      code: 'disk',
      severity: 'problem',
      message: '/srv/results cannot be written. Name another folder with --out, or make it yours:',
      command: 'sudo chown "$USER" /srv/results',
    });
    expect(found('disk', root({ output }))?.command).toBe(
      'mount -o remount,rw "$(df --output=target /srv/results | tail -n 1)"',
    );
  });

  it('Postgres as a process wants shared memory', () => {
    const database = needs('database: {}');
    expect(found('shared-memory', machine({ sharedMemoryBytes: 16 * 1024 ** 2 }), database, 'process')).toMatchObject({
      severity: 'warning',
      message: '16 MiB free in /dev/shm; Postgres wants 64 MiB for parallel queries.',
      command: 'sudo mount -o remount,size=256m /dev/shm',
    });
    expect(found('shared-memory', machine({ sharedMemoryBytes: null }), database, 'process')).toMatchObject({
      severity: 'warning',
      command: 'sudo mount -t tmpfs -o size=256m tmpfs /dev/shm',
    });
    expect(found('shared-memory', machine({ sharedMemoryBytes: 0 }), database, 'docker')).toBeUndefined();
    expect(found('shared-memory', machine({ sharedMemoryBytes: 0 }), needs(), 'process')).toBeUndefined();
  });
});

describe('the network', () => {
  it('has a port for each connection, or a range that can be widened', () => {
    const few = machine({ ports: { first: 50_000, last: 59_999, timeWait: 0 } });
    expect(found('ports', few, POSTED)).toEqual({
      code: 'ports',
      severity: 'problem',
      message:
        '20,000 connections to one address need as many local ports; there are 10,000 local ports (50000-59999).',
      command: 'sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"',
    });
    expect(found('ports', machine(), POSTED)).toMatchObject({
      severity: 'ok',
      message: '28,232 local ports (32768-60999) for 20,000 connections',
    });
  });

  it('has no more than one machine can have', () => {
    const many = { ...needs(), connections: 70_000 };
    expect(found('ports', machine(), many)).toMatchObject({
      severity: 'problem',
      message:
        '70,000 connections to one address need as many local ports; there are 28,232 local ports (32768-60999), and no machine has more than 64,512. Measure fewer connections.',
      command: null,
    });
  });

  it('runs out of ports without keep-alive, unless they are used again', () => {
    const facts = (tcpTwReuse: number) =>
      machine({ tcpTwReuse, ports: { first: 32_768, last: 60_999, timeWait: 3232 } });
    expect(found('port-reuse', facts(2))).toEqual({
      code: 'port-reuse',
      severity: 'warning',
      message:
        'Without keep-alive every request takes a local port, which then rests for 60 s: 25,000 free ones last through 25 seconds of load at 1,000 requests/s, and for good at 470/s; tcp_tw_reuse=2 gives them back early on loopback only. A run sets it while it measures, as root or through a sudo without a password; where it may not, faster cases end as ports-exhausted.',
      command: 'sudo sysctl -w net.ipv4.tcp_tw_reuse=1',
    });
    expect(found('port-reuse', facts(0), needs(), 'process')?.message).toContain(
      'tcp_tw_reuse=0 never gives them back early',
    );
    expect(found('port-reuse', facts(2), needs(), 'process')?.severity).toBe('ok');
    expect(found('port-reuse', facts(1))).toMatchObject({
      severity: 'ok',
      message: 'tcp_tw_reuse=1: ports of closed connections are used again after a second',
    });
    expect(found('port-reuse', facts(2), needs('load: {wrk: {keep-alive: [on]}}'))).toBeUndefined();
  });

  it('reckons no case longer than a port rests', () => {
    const long = needs('load: {wrk: {keep-alive: [off], duration: 5m}}');
    expect(found('port-reuse', machine({ tcpTwReuse: 2 }), long)?.message).toContain(
      'last through 60 seconds of load at 470 requests/s',
    );
  });

  it('has a backlog of its own in every container', () => {
    expect(found('listen-backlog', machine({ somaxconn: 128 }))).toMatchObject({
      severity: 'ok',
      message: "a container's somaxconn is 4,096 for 1,000 connections",
    });
    expect(found('listen-backlog', machine({ kernel: '5.4.0' }))?.severity).toBe('ok');
    expect(found('listen-backlog', machine({ kernel: '4.19.0-26-amd64', somaxconn: 65_535 }))).toMatchObject({
      severity: 'warning',
      message:
        "1,000 connections are opened at once, and a container's somaxconn is 128: what does not fit tries again after 1, 3 and 7 seconds. Cases where some never get through are marked connections-lost.",
      command: null,
    });
  });

  it("has the machine's own backlog for processes", () => {
    expect(found('listen-backlog', machine(), POSTED, 'process')).toMatchObject({
      severity: 'warning',
      command: 'sudo sysctl -w net.core.somaxconn=32768',
    });
    const most = { ...needs(), connections: 60_000 };
    expect(found('listen-backlog', machine(), most, 'process')?.command).toBe(
      'sudo sysctl -w net.core.somaxconn=65535',
    );
  });

  it('tracks connections where the kernel does', () => {
    const conntrack = (max: number, count = 0) => machine({ conntrack: { max, count } });
    expect(found('conntrack', conntrack(262_144, 100))).toMatchObject({
      severity: 'ok',
      message: '30,332 tracked connections expected, nf_conntrack_max is 262,144',
    });
    expect(found('conntrack', conntrack(16_384))).toMatchObject({
      severity: 'warning',
      message:
        '30,232 tracked connections expected, nf_conntrack_max is 16,384: the kernel drops connections that it cannot track.',
      command: 'sudo sysctl -w net.netfilter.nf_conntrack_max=32768',
    });
    expect(found('conntrack', conntrack(16_384), POSTED)).toMatchObject({
      severity: 'problem',
      command: 'sudo sysctl -w net.netfilter.nf_conntrack_max=65536',
    });
    const twice = needs('gateway: {kind: nginx}');
    expect(found('conntrack', conntrack(262_144), twice)?.message).toContain('60,464 tracked connections');
  });
});

describe('what disturbs just now', () => {
  const { cpu } = machine();
  const now = (changes: object) =>
    machine({ cpu: { ...cpu, now: { stealShare: 0, otherShare: 0, busiest: null, ...changes } } });

  it('is time that the hypervisor takes', () => {
    expect(found('steal', now({ stealShare: 0.12 }))).toEqual({
      code: 'steal',
      severity: 'warning',
      message:
        'The hypervisor takes 12 % of the CPU time just now: another machine on the same hardware is busy. Measure later, or compare in duets only.',
      command: null,
    });
    expect(found('steal', now({ stealShare: 0.05 }))?.severity).toBe('ok');
  });

  it('is what other processes use, with the name of the busiest', () => {
    expect(found('other-load', now({ otherShare: 0.31, busiest: { name: 'chrome', pid: 4711, cores: 1.2 } }))).toEqual({
      code: 'other-load',
      severity: 'warning',
      message:
        'Other processes use 31 % of the CPUs just now (most by chrome, process 4711). End them before measuring.',
      command: 'top -b -n 1 -o %CPU | head -n 15',
    });
    expect(found('other-load', now({ otherShare: 0.31 }))?.message).toBe(
      'Other processes use 31 % of the CPUs just now. End them before measuring.',
    );
    expect(found('other-load', now({ otherShare: 0.05 }))?.severity).toBe('ok');
  });

  it.each([
    [{}, true],
    [{ stealShare: 0.05, otherShare: 0.05 }, true],
    [{ stealShare: 0.06 }, false],
    [{ otherShare: 0.06 }, false],
  ])('is nothing where neither would be warned of: %o is %s', (changes, quiet) => {
    const { now: load } = now(changes).cpu;
    expect(isUndisturbed(load!)).toBe(quiet);
    const warned = ['steal', 'other-load'].filter((code) => found(code, now(changes))?.severity === 'warning');
    expect(warned.length === 0).toBe(quiet);
  });

  it('is a clock that follows the load', () => {
    const governed = (governor: string) => machine({ cpu: { ...cpu, governor } });
    expect(found('governor', governed('schedutil'))).toEqual({
      code: 'governor',
      severity: 'warning',
      message:
        'The CPU frequency governor is schedutil: the clock follows the load, and CPU time per request follows the clock.',
      command: "sudo sh -c 'echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor'",
    });
    expect(found('governor', governed('performance'))?.severity).toBe('ok');
  });

  it('is memory that lies in swap', () => {
    const swapped = (mebibytes: number) =>
      root({ memory: { ...machine().memory, swapUsedBytes: mebibytes * 1024 ** 2 } });
    expect(found('swap', swapped(512))).toEqual({
      code: 'swap',
      severity: 'warning',
      message: '512 MiB of memory lie in swap: reading them back shows as latency.',
      command: 'swapoff -a && swapon -a',
    });
    expect(found('swap', swapped(64))).toBeUndefined();
  });
});

describe("a cloud's metadata service", () => {
  const powerless = machine({
    rights: {
      root: false,
      raisesLimits: false,
      setsRoutingRules: false,
      limitsCpuTime: false,
      separatesNetworks: false,
    },
  });

  it('is out of reach where a run may set routing rules', () => {
    expect(found('metadata', machine())).toEqual({
      code: 'metadata',
      severity: 'ok',
      message: "services do not reach a cloud's metadata service (169.254.169.254)",
      command: null,
    });
  });

  it('is within reach where it may not, which stops no run', () => {
    expect(found('metadata', powerless)).toEqual({
      code: 'metadata',
      severity: 'warning',
      message:
        'Services reach 169.254.169.254, where clouds hand out the credentials of a machine. A run keeps them from it as root, or through a sudo without a password, by the command ip (iproute2). Where that cannot be, give services that ask nobody else `network: internal` in the spec.',
      command: null,
    });
  });

  it('is within reach of networks that no rule of this machine can name, whatever a run may set', () => {
    const hidden = machine({
      engine: { state: 'answers', version: '28.2.2', openFiles: 1_048_576, hidesNetworks: true },
    });
    expect(found('metadata', hidden)).toEqual({
      code: 'metadata',
      severity: 'warning',
      message:
        "Services reach 169.254.169.254, where clouds hand out the credentials of a machine: the engine's networks are not among the devices of this machine, so no rule can keep services from it. Use an engine in this machine's own network, or give services that ask nobody else `network: internal` in the spec.",
      command: null,
    });
    expect(found('metadata', hidden, needs('', 'image: acme/api, network: internal'))).toBeUndefined();
  });

  it('is no matter for services without a way out, for processes, and for an engine elsewhere', () => {
    expect(found('metadata', powerless, needs('', 'image: acme/api, network: internal'))).toBeUndefined();
    expect(found('metadata', powerless, needs(), 'process')).toBeUndefined();
    const elsewhere = machine({ ...powerless, engine: { state: 'answers', version: '28.2.2', openFiles: null } });
    expect(found('metadata', elsewhere)).toBeUndefined();
  });
});

describe('a lack', () => {
  it('comes with a command wherever one can help', () => {
    const worst = machine({
      engine: { state: 'missing' },
      programs: NOTHING_INSTALLED,
      openFiles: { hard: 1024, kernelMost: 4096 },
      ports: { first: 60_000, last: 60_099, timeWait: 0 },
      conntrack: { max: 100, count: 90 },
      output: { path: '/out', writable: true, availableBytes: 0 },
    });
    for (const runtime of ['docker', 'process'] as const) {
      const lacks = findingsOf(EVERYTHING, worst, runtime).filter(({ severity }) => severity === 'problem');
      expect(lacks.length).toBeGreaterThanOrEqual(7);
      expect(lacks.filter(({ command }) => command === null)).toEqual([]);
    }
  });
});

describe('a spec that limits system calls', () => {
  const LIMITED = needs('gate: {syscalls-per-request: {max-increase: 0}}');
  const perfOf = (changes: Parameters<typeof machine>[0]) =>
    findingsOf(LIMITED, machine(changes)).find(({ code }) => code === 'perf');
  const without = { ...machine().programs, perf: null };
  const message =
    'perf is not on this machine. The spec limits syscalls-per-request, which is not measured without it.';

  it('needs perf, as no other spec does', () => {
    expect(perfOf({})).toEqual({ code: 'perf', severity: 'ok', message: '/usr/bin/perf', command: null });
    expect(findingsOf(needs(), machine({ programs: without })).map(({ code }) => code)).not.toContain('perf');
    expect(needs('gate: {syscalls-per-request: off}').syscalls).toBe(false);
    expect(needs('gate: {cases: {"go/ping/**": {syscalls-per-request: {max-increase: 1}}}}').syscalls).toBe(true);
  });

  it('is told how to get it, and measured all the same', () => {
    const command = 'sudo apt-get install -y --no-install-recommends linux-perf';
    expect(perfOf({ programs: without })).toEqual({ code: 'perf', severity: 'warning', message, command });
    const os = { name: 'Ubuntu 24.04', families: ['ubuntu', 'debian'] };
    expect(perfOf({ programs: without, os })?.command).toBe(
      'sudo apt-get install -y --no-install-recommends linux-tools-$(uname -r)',
    );
  });
});
