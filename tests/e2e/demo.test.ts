// needs: wrk, k6, postgres, linux

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../src/core/format/shell-word.ts';
import { specFolder } from '../support/spec-folder.ts';
import { recordIn, start, wrkbench } from './support/command.ts';
import { leftovers } from './support/leftovers.ts';

let folder = '';
let out = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-test-'));
  out = path.join(folder, 'wrkbench-demo');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of a person whose git signs with a key that is not here, and ignores what the demo has. */
function strangeHome(): string {
  return specFolder({
    '.gitconfig': '[commit]\n\tgpgsign = true\n[core]\n\texcludesFile = ~/ignored\n',
    ignored: '*.sql\n',
  });
}

describe('wrkbench demo', () => {
  it('adds a query to the bundled server, finds it, says that this is what it shows, and passes', async () => {
    const { status, stdout, stderr } = await wrkbench(['demo', '--quick', '--runtime', 'process'], {
      cwd: folder,
      env: { HOME: strangeHome() },
    });
    expect(stderr).toMatch(/^This demo adds one database query to GET \/users of a small Node\.js server/);
    expect(stdout).toMatch(/^\n✗ Regression: rest-node · \/users sends 2 queries per request instead of 1\n/);
    const prose = stdout.replaceAll(/\s+/g, ' ');
    expect(prose).toMatch(/Where it went: server \+[\d.]+ .s, database \+[\d.]+ .s of CPU per request\./);
    expect(prose).toContain('New statement, 1 call per request: SELECT count(*) FROM users');
    expect(prose).toContain(
      'We added one query to GET /users; wrkbench found it: 2 queries per request instead of 1. This red verdict is what the demo is meant to show.',
    );
    expect(stdout.slice(stdout.indexOf('\nReport'))).toBe(`
Report         wrkbench-demo/report.html (open it in a browser)
The change     git -C wrkbench-demo/server show
Your server    node ${shellWord(path.resolve('dist/cli.cjs'))} init, in the folder of its repository
`);
    expect(status).toBe(0);
    expect(existsSync(path.join(out, 'report.html'))).toBe(true);
    const change = execFileSync('git', ['-C', path.join(out, 'server'), 'show', '--format=%s'], { encoding: 'utf8' });
    expect(change).toMatch(/^Count the users in each GET \/users\n/);
    expect(change).toContain('\n+      if (statement === "users") await pool.query("SELECT count(*) FROM users");\n');
    expect(leftovers(recordIn(out).id, folder)).toEqual([]);
  });

  it('is interrupted, keeps what it has and the demo before it, and leaves nothing running', async () => {
    const running = start(['demo', '--runtime', 'process'], { cwd: folder });
    await running.prints(/round 1 of both sides/);
    running.process.kill('SIGINT');
    const { status, stdout, stderr } = await running.ended;
    expect(stderr).toContain('SIGINT: taking down what was started. What was measured is kept.');
    expect(stdout).toBe(
      '\nThe demo was stopped before its verdict. What it had measured is in wrkbench-demo/report.html.\n',
    );
    expect(status).toBe(130);
    expect(existsSync(path.join(out, 'report.html'))).toBe(true);
    const { id, cases } = recordIn(out);
    expect(cases.map(({ variant }) => variant).sort()).toEqual(['baseline', 'candidate']);
    expect(leftovers(id, folder)).toEqual([]);
    const [earlier] = readdirSync(path.join(out, 'earlier'));
    expect(readdirSync(path.join(out, 'earlier', earlier!))).toEqual(expect.arrayContaining(['report.html', 'server']));
  });

  it('takes no folder that another has filled', async () => {
    const other = specFolder({});
    mkdirSync(path.join(other, 'server'));
    const { status, stderr } = await wrkbench(['demo', '--out', '.'], { cwd: other });
    expect(stderr).toBe(`${other}/server is not of an earlier demo. Choose another folder for this one with --out.\n`);
    expect(status).toBe(2);
  });

  it('with --matrix measures all cases of the bundled server, and compares nothing', async () => {
    const running = start(['demo', '--matrix', '--runtime', 'process', '--out', 'matrix'], { cwd: folder });
    await running.prints(/\nrest-node: 25 cases\n\[1\/25\]/);
    running.process.kill('SIGINT');
    const { status, stdout } = await running.ended;
    expect(stdout).toContain('Report: matrix/report.html');
    expect(status).toBe(130);
    const { id, comparing } = recordIn(path.join(folder, 'matrix'));
    expect(comparing).toBeUndefined();
    expect(leftovers(id, folder)).toEqual([]);
  });
});
