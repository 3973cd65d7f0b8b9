// needs: engine, wrk, go, root, linux
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IMAGES } from '../support/images.ts';
import { misbehavingProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { containers, load, runOf } from './support/bad-luck.ts';
import { wrkbench } from './support/command.ts';

const program = await misbehavingProgram();

const BAD = 'bad/ping/direct/wrk/keep-alive/8';
const GOOD = 'good/ping/direct/wrk/keep-alive/8';

describe('a service in a container', () => {
  it('whose image is not available: all of it said in one sentence, and nothing measured is exit status 4', async () => {
    const spec = containers({}).replaceAll(IMAGES.misbehaving, 'wrkbench-fixture/not-there:1');
    const { status, reasons, stderr } = await runOf(spec);
    expect(reasons).toEqual({ [BAD]: ['image-unavailable'], [GOOD]: ['image-unavailable'] });
    expect(stderr).toContain('wrkbench-fixture/not-there:1 is not on this machine and cannot be pulled');
    expect(status).toBe(4);
  });
});

describe('a machine', () => {
  const spec = containers({});

  it('without an engine: exit status 3 and how to fix it', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec });
    const { status, stderr } = await wrkbench(['run', '--out', 'out'], {
      cwd: folder,
      env: { DOCKER_HOST: 'unix:///nonexistent.sock' },
    });
    expect(status).toBe(3);
    expect(stderr).toMatch(/No Docker engine answers/);
  });

  it('without wrk: exit status 3 and how to fix it', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec });
    mkdirSync(path.join(folder, 'bin'));
    for (const program of ['docker', 'git']) {
      const found = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
      execFileSync('ln', ['-s', found, path.join(folder, 'bin', program)]);
    }
    const { status, stderr } = await wrkbench(['run', '--out', 'out'], {
      cwd: folder,
      env: { PATH: path.join(folder, 'bin'), HOME: folder },
    });
    expect(status).toBe(3);
    expect(stderr).toMatch(/wrk is not on this machine[\s\S]*apt-get install[\s\S]*wrk/);
  });

  it('whose temporary folder is read-only or missing: exit status 3 before anything is begun, and what to do', async () => {
    const folder = specFolder({
      'wrkbench.yml': `
name: temporary
services:
  go: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {ping: /ping}
${load}`,
    });
    const [temporary, missing] = [path.join(folder, 'temporary'), path.join(folder, 'missing')];
    mkdirSync(temporary);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', temporary]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', temporary]);
    });
    const advice =
      'wrkbench and the programs that it starts need one: set TMPDIR to a folder that this user may write to, for example: export TMPDIR=/var/tmp\n';
    for (const [TMPDIR, state] of [
      [temporary, 'is on a disk that is mounted read-only'],
      [missing, 'does not exist'],
    ] as const) {
      for (const runtime of ['process', 'docker']) {
        const call = ['run', '--out', 'out', '--runtime', runtime];
        const { status, stderr } = await wrkbench(call, { cwd: folder, env: { TMPDIR } });
        expect({ status, stderr }).toEqual({ status: 3, stderr: `The temporary folder ${TMPDIR} ${state}. ${advice}` });
      }
    }
    expect(existsSync(path.join(folder, 'out'))).toBe(false);
  });

  it('with a lower limit of open files than every case needs: exit status 3 and the command', async () => {
    const folder = specFolder({
      'wrkbench.yml': `
name: pong
services:
  go: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {pong: {method: POST, path: /ping, body: '{"sequence": 2}'}}
load: {wrk: {connections: [5000, 20000]}}
`,
    });
    execFileSync('chmod', ['-R', 'a+rwX', folder]);
    const { status, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process'], {
      cwd: folder,
      under: [
        'setpriv',
        '--bounding-set',
        '-sys_resource',
        '--inh-caps',
        '-sys_resource',
        'prlimit',
        '--nofile=4096:4096',
      ],
    });
    expect(status).toBe(3);
    expect(stderr).toMatch(/open files/);
    expect(stderr).toMatch(/ulimit|prlimit/);
  });
});
