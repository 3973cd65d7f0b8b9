// needs: engine, wrk, postgres, go, linux

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/core/format/shell-word.ts';
import { misbehavingProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { recordIn, wrkbench } from './support/command.ts';
import { expectInterruptedToLeaveNothing, load } from './support/interrupted-run.ts';
import { leftovers } from './support/leftovers.ts';

describe('wrkbench run in containers, interrupted', () => {
  it.each([
    ['SIGINT', 'while the testbed comes up', /starting static/],
    ['SIGINT', 'while a trial runs', /^\[1\/2\] static\//m],
  ] as const)('by %s %s: exit status 130, and nothing is left', (signal, _, moment) =>
    expectInterruptedToLeaveNothing(signal, moment),
  );
});

describe('wrkbench run with processes', () => {
  it('is interrupted when its terminal is closed, keeps what it has and leaves nothing running', async () => {
    const program = await misbehavingProgram();
    const folder = specFolder({
      'wrkbench.yml': `
name: closed
services:
  go: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {ping: /ping, time: /time}
${load}`,
    });
    const out = path.join(folder, 'out');
    const call = `${shellWord(process.execPath)} ${shellWord(path.resolve('dist/cli.cjs'))} run --out out --runtime process`;
    const terminal = spawn('script', ['--quiet', '--flush', '--command', call, '/dev/null'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => terminal.once('close', resolve));
    let shown = '';
    terminal.stdout.on('data', (chunk) => {
      shown += chunk;
      if (/go\/ping\/\S+/.test(shown)) terminal.kill('SIGKILL');
    });
    await ended;
    await expect.poll(() => existsSync(path.join(out, 'run.json')), { timeout: 30_000 }).toBe(true);
    const record = recordIn(out);
    expect(record.interrupted).toEqual({
      code: 'interrupted',
      message: 'The run was interrupted by SIGHUP; what it had measured is kept.',
    });
    await expect.poll(() => leftovers(record.id, folder), { timeout: 30_000 }).toEqual([]);
  });
});

describe('a service that prints what a terminal obeys', () => {
  const server = `process.stdout.write('a\\u001b[2Jb\\u001b]0;title\\u0007c\\u009b31md\\u202e\\n'); process.exit(1);`;
  const spec = `name: api
services:
  go: {command: [node, server.cjs], port: 3999}
endpoints:
  ping: /ping
load:
  wrk: {connections: [1], duration: 1s}
`;

  it('has its lines shown, on a terminal as in the reports', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec, 'server.cjs': server });
    const { status, stdout, stderr } = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], { cwd: folder });
    expect(status).toBe(4);
    const report = await wrkbench(['report', 'out'], { cwd: folder });
    const record = await wrkbench(['report', 'out', '--format', 'json'], { cwd: folder });
    expect(stdout + stderr + report.stdout).toContain('a⟨U+001B⟩[2Jb⟨U+001B⟩]0;title⟨U+0007⟩c⟨U+009B⟩31md⟨U+202E⟩');
    expect(JSON.parse(record.stdout).services[0].failure.message).toContain('\u009b31md\u202e');
    for (const text of [stdout, stderr, report.stdout, record.stdout])
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});
