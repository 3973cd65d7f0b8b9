import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import { absenceOf, readEngine, readEngineOpenFiles } from '../../../src/adapters/machine/engine.ts';
import { gatherFacts } from '../../../src/adapters/machine/facts.ts';
import { sampleLoad } from '../../../src/adapters/machine/load.ts';
import { mayRaiseLimits, readOpenFilesLimit } from '../../../src/adapters/machine/open-files.ts';
import { locateProgram, readProgram, versionIn } from '../../../src/adapters/machine/programs.ts';
import { maySetRoutingRules } from '../../../src/adapters/machine/routing-rules.ts';
import { runCommand } from '../../../src/adapters/process/command.ts';
import { cpuLimitObstacle } from '../../../src/adapters/process/cpu-limit.ts';
import { networkNamespaceObstacle } from '../../../src/adapters/process/network-namespace.ts';
import { asRoot } from '../../../src/adapters/process/root-command.ts';
import { doctor } from '../../../src/app/doctor.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { MachineFacts } from '../../../src/core/doctor/facts.ts';
import { needsOf } from '../../../src/core/doctor/needs.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { mountSmallDisk, remountReadOnly, unmount } from '../files/small-disk.ts';

const NEVER = new AbortController().signal;
/** What a shell says, as the other witness. */
const shell = async (command: string) => (await runCommand('bash', ['-c', command])).stdout.trim();

async function withVariables<T>(variables: Record<string, string | undefined>, work: () => Promise<T>): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(variables)) set(name, value);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}

describe('the facts of this machine', () => {
  let facts: MachineFacts;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wrkbench-facts-'));
    facts = await gatherFacts({ outputDirectory: join(folder, 'not', 'yet'), sampleSeconds: 0, signal: NEVER });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are what the system itself says', async () => {
    expect(facts.platform).toBe('linux');
    expect(facts.kernel).toBe(await shell('uname -r'));
    expect(facts.os.name).toBe(await shell('. /etc/os-release && echo "$PRETTY_NAME"'));
    expect(facts.os.families[0]).toBe(await shell('. /etc/os-release && echo "$ID"'));
    expect(facts.rights.root).toBe((await shell('id -u')) === '0');
    expect(facts.rights.limitsCpuTime).toBe(cpuLimitObstacle() === null);
    expect(facts.rights.separatesNetworks).toBe(networkNamespaceObstacle() === null);
    expect(facts.cpu.usable).toBe(Number(await shell('nproc')));
    expect(facts.openFiles).toEqual({
      hard: Number((await shell('ulimit -Hn')).replace('unlimited', 'Infinity')),
      kernelMost: Number(await shell('cat /proc/sys/fs/nr_open')),
    });
    expect(`${facts.ports?.first}\t${facts.ports?.last}`).toBe(
      await shell('cat /proc/sys/net/ipv4/ip_local_port_range'),
    );
    expect(facts.tcpTwReuse).toBe(Number(await shell('cat /proc/sys/net/ipv4/tcp_tw_reuse')));
    expect(facts.somaxconn).toBe(Number(await shell('cat /proc/sys/net/core/somaxconn')));
    const tracked = await shell('cat /proc/sys/net/netfilter/nf_conntrack_max 2>/dev/null');
    expect(facts.conntrack?.max ?? '').toBe(tracked === '' ? '' : Number(tracked));
    expect(facts.cpu.now).toBeNull();
  });

  it('hold every generator that is installed, with its version', async () => {
    expect(facts.programs.wrk).toEqual({
      path: await shell('command -v wrk'),
      version: (await shell('wrk -v')).match(/(\d+\.\d+\.\d+)/)?.[1],
    });
    expect(facts.programs.ab).toEqual({ path: await shell('command -v ab'), version: '2.3' });
    const k6 = facts.programs.k6!;
    expect(await shell(`${k6.path} version`)).toContain(`v${k6.version} `);
    const postgres = facts.programs.postgres!;
    expect(await shell(`${postgres.path} --version`)).toContain(` ${postgres.version}`);
    expect(await shell(`${facts.programs.nginx?.path} -v 2>&1`)).toContain(`/${facts.programs.nginx?.version}`);
    expect(await shell(`${facts.programs.pgbouncer?.path} --version`)).toContain(
      ` ${facts.programs.pgbouncer?.version}`,
    );
  });

  it('hold the engine and what it can give', async () => {
    const version = await shell('docker version --format "{{.Server.Version}}"');
    expect(facts.engine).toEqual({ state: 'answers', version, openFiles: readEngineOpenFiles() });
  });

  it('measure the folder that is there already where the run is to be', async () => {
    expect(facts.output.path).toBe(folder);
    expect(facts.output.writable).toBe(true);
    const free = Number(await shell(`df --output=avail -B1 ${folder} | tail -n 1`));
    expect(Math.abs(facts.output.availableBytes! - free)).toBeLessThan(1024 ** 3);
  });

  it('are good enough for the standard preset on a machine that runs these tests', () => {
    const report = doctor(null, null, facts);
    expect(report.findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
    expect(report).toMatchObject({ ok: true, runtime: 'docker' });
  });

  it('name the limit that 20,000 connections meet in containers, exactly where there is one', () => {
    const spec = readSpec(
      'name: a\nservices: {go: {image: a/b, port: 80}}\nendpoints: {p: {path: /}}\nload: {preset: event-pong}\n',
      'wrkbench.yml',
    );
    const plan = planOf(spec, { seed: 1, quick: false, only: null });
    const needed = needsOf(spec, plan).openFiles.generator;
    const { findings } = doctor(spec, plan, facts);
    const severity = (code: string) => findings.find((finding) => finding.code === code)?.severity;
    const { hard, kernelMost } = facts.openFiles!;
    const raised = facts.rights.raisesLimits && kernelMost >= needed;
    const given = facts.engine.state === 'answers' ? facts.engine.openFiles! : 0;
    const canBeLoaded = (hard >= needed || raised) && given >= needed;
    // Else it is left out, and the cases of fewer connections are not in its way.
    expect(severity('not-measured') ?? 'ok').toBe(canBeLoaded ? 'ok' : 'warning');
    expect([severity('open-files'), severity('container-open-files')]).toEqual(['ok', 'ok']);
  });
});

describe('programs', () => {
  it('that are nowhere are not found', async () => {
    const nowhere = { PATH: '/nonexistent', HOME: '/nonexistent', XDG_CACHE_HOME: undefined, WRKBENCH_K6: undefined };
    await withVariables(nowhere, async () => {
      expect(await readProgram('k6')).toBeNull();
      expect(await readProgram('wrk')).toBeNull();
    });
  });

  it('that drive the load are those that the runner starts', async () => {
    await withVariables({ WRKBENCH_WRK: '/bin/true' }, async () => {
      expect((await readProgram('wrk'))?.path).toBe('/bin/true');
    });
    const runner = createGeneratorRunner({ specDirectory: '.' });
    for (const name of ['wrk', 'k6', 'ab'] as const) {
      // The runner keeps the distribution's own suffix: `4.1.0-3+b2`.
      expect(await runner.version(name)).toContain((await readProgram(name))?.version);
    }
  });

  it('of Postgres are those that were asked for, or none', async () => {
    await withVariables({ WRKBENCH_POSTGRES_BIN: '/nonexistent' }, async () => {
      expect(locateProgram('postgres')).toBeNull();
    });
    await withVariables({ WRKBENCH_POSTGRES_BIN: undefined }, async () => {
      expect(locateProgram('postgres')).toMatch(/\/bin\/postgres$/);
    });
  });

  it.each([
    ['wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer', '4.1.0'],
    ['wrk 4.2.0 [kqueue] Copyright (C) 2012 Will Glozer', '4.2.0'],
    ['wrk a211dd5 [epoll] Copyright (C) 2012 Will Glozer', null],
    ['k6 v1.8.1 (go1.26.8, linux/amd64)', '1.8.1'],
    ['k6.exe v0.57.0 (commit/50afd82c18, go1.23.6, windows/amd64)', '0.57.0'],
    ['This is ApacheBench, Version 2.3 <$Revision: 1923142 $>', '2.3'],
    ['postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)', '15.18'],
    ['nginx version: nginx/1.22.1', '1.22.1'],
    ['PgBouncer 1.18.0\nlibevent 2.1.12-stable', '1.18.0'],
    ['', null],
  ])('tell their version: %s', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });
});

describe('an engine that is not there', () => {
  it('has no command', async () => {
    await withVariables({ PATH: '/nonexistent' }, async () => {
      expect(await readEngine({ PATH: '/nonexistent' })).toEqual({ state: 'missing' });
    });
  });

  it('does not answer', async () => {
    const engine = await readEngine({ ...process.env, DOCKER_HOST: 'unix:///nonexistent/docker.sock' });
    expect(engine).toMatchObject({ state: 'silent', said: expect.stringContaining('/nonexistent/docker.sock') });
    expect(absenceOf({ found: true, timedOut: true, stderr: '' })).toEqual({
      state: 'silent',
      said: 'it did not answer within 5 s',
    });
  });

  it('may not be used by a user outside of its group', async () => {
    const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', '--', 'docker', 'version'];
    const root = process.getuid?.() === 0;
    const asked = await runCommand(root ? 'setpriv' : 'sudo', root ? asNobody : ['-n', 'setpriv', ...asNobody]);
    expect(absenceOf(asked)).toMatchObject({ state: 'forbidden', said: expect.stringContaining('permission denied') });
  });

  it('does not answer where its machine lets nobody in by SSH', () => {
    const stderr =
      'error during connect: Get "http://docker.example.com/v1.50/version": command [ssh -T -- bench@10.0.0.7 docker system dial-stdio] has exited with exit status 255: stderr=bench@10.0.0.7: Permission denied (publickey).';
    expect(absenceOf({ found: true, timedOut: false, stderr })).toMatchObject({ state: 'silent' });
  });
});

describe('the networks of an engine', () => {
  /** An engine that answers, whose bridges have these names of its own or, by their ids, those that Docker makes. */
  async function engineWith(networks: string[]) {
    const folder = await mkdtemp(join(tmpdir(), 'wrkbench-facts-'));
    const list = networks.map((line) => line.split(' ')[0]).join('\n');
    const script = `#!/bin/sh
case "$1 $2" in
  "network ls") printf '%s\\n' '${list}' ;;
  "network inspect") printf '%s\\n' '${networks.join('\n')}' ;;
  "info --format") echo '[]' ;;
  *) echo 28.2.2 ;;
esac
`;
    await writeFile(join(folder, 'docker'), script, { mode: 0o755 });
    try {
      return await withVariables({ PATH: `${folder}:${process.env.PATH}` }, () => readEngine(process.env));
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const id = 'ab'.repeat(32);

  it('are hidden where none of its bridges is a device of this machine', async () => {
    expect(await engineWith([`${id} docker9`])).toMatchObject({ state: 'answers', hidesNetworks: true });
    expect(await engineWith([`${id} `])).toMatchObject({ state: 'answers', hidesNetworks: true });
  });

  it('are not where one of them is, and where there are none', async () => {
    expect(await engineWith([`${id} docker9`, `${'cd'.repeat(32)} lo`])).not.toHaveProperty('hidesNetworks');
    expect(await engineWith([])).not.toHaveProperty('hidesNetworks');
  });
});

describe('routing rules', () => {
  it('may be set exactly where the system lets it', async () => {
    const [program, ...args] = asRoot(['ip', 'rule', 'add', 'iif', 'wrkb-test', 'to', '192.0.2.1', 'unreachable']);
    const isSet = (await runCommand(program, args)).failure === null;
    expect(await maySetRoutingRules()).toBe(isSet);
    if (isSet)
      await runCommand(
        program,
        args.map((word) => (word === 'add' ? 'del' : word)),
      );
  });
});

describe('open files', () => {
  it('can be raised exactly where the system lets it', async () => {
    const { hard } = readOpenFilesLimit()!;
    expect(mayRaiseLimits()).toBe((await runCommand('bash', ['-c', `ulimit -Hn ${hard + 1}`])).failure === null);
  });

  it('that an engine gives are what a container gets, and not one more', async () => {
    const most = readEngineOpenFiles()!;
    const image = 'wrkbench-test/empty:open-files';
    // There is nothing in it: the limit is set before the program is looked for.
    await shell(`tar -c -T /dev/null | docker import - ${image}`);
    const run = (files: number) => {
      const limit = `--ulimit=nofile=${files}:${files}`;
      return runCommand('docker', ['run', '--rm', '--network=none', limit, image, '/nonexistent']);
    };
    try {
      expect((await run(most + 1)).stderr).toMatch(/rlimit|operation not permitted/i);
      expect((await run(most)).stderr).toMatch(/no such file/i);
    } finally {
      await shell(`docker rmi ${image}`);
    }
  });
});

describe('the load of the moment', () => {
  it('shows what others use, and whose it is', async () => {
    const burner = spawn('bash', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
    try {
      const now = await sampleLoad(0.5, NEVER);
      expect(now!.otherShare * availableParallelism()).toBeGreaterThan(0.3);
      expect(now!.busiest).toMatchObject({ name: expect.any(String), pid: expect.any(Number) });
      expect(now!.busiest!.cores).toBeGreaterThan(0.3);
      expect(now!.stealShare).toBeGreaterThanOrEqual(0);
      expect(now!.stealShare).toBeLessThanOrEqual(1);
    } finally {
      burner.kill('SIGKILL');
    }
  });

  it('is looked at once where that is enough, and else watched to the end', async () => {
    const told = async (isEnough: boolean) => {
      const looks: unknown[] = [];
      const now = await sampleLoad(0.2, NEVER, {
        afterSeconds: 0.1,
        isEnough: (load) => {
          looks.push(load);
          return isEnough;
        },
      });
      expect(looks).toHaveLength(1);
      return { now, first: looks[0] };
    };
    const quiet = await told(true);
    expect(quiet.now).toBe(quiet.first);
    const disturbed = await told(false);
    expect(disturbed.now).not.toBe(disturbed.first);
    expect(disturbed.now).toMatchObject({ otherShare: expect.any(Number), stealShare: expect.any(Number) });
  });

  it('stops to be watched when aborted', async () => {
    await expect(sampleLoad(60, AbortSignal.timeout(20))).rejects.toThrow();
  });
});

describe('a folder that may not be written', () => {
  it('is told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wrkbench-facts-'));
    // Root may write to every folder, and to no disk that is read-only.
    const mounted = await mountSmallDisk(folder);
    if (mounted) await remountReadOnly(folder);
    else await chmod(folder, 0o555);
    try {
      const facts = await gatherFacts({ outputDirectory: join(folder, 'run'), sampleSeconds: 0, signal: NEVER });
      expect(facts.output).toMatchObject({ path: folder, writable: false });
      expect(doctor(null, null, facts).findings.find(({ code }) => code === 'disk')?.severity).toBe('problem');
    } finally {
      if (mounted) await unmount(folder);
      await rm(folder, { recursive: true });
    }
  });
});
