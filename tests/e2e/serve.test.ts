// needs: git
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { specFolder } from '../support/spec-folder.ts';
import { recordOf } from '../unit/posting/made-up.ts';
import { start, wrkbench } from './support/command.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

interface Served {
  url: string;
  said: string;
  /** Exactly that path, which a browser or `fetch` would tidy up. */
  get(target: string, options?: { method?: string; host?: string }): Promise<Answer>;
  /** As Ctrl-C does. */
  end(): Promise<number | null>;
}

async function serve(cwd: string, ...args: string[]): Promise<Served> {
  const running = start(['serve', ...args], { cwd });
  onTestFinished(() => void running.process.kill('SIGKILL'));
  await running.prints(/\/wrkbench\/\n[\s\S]*Press Ctrl-C/);
  const said = running.stdout;
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)![0];
  const { port } = new URL(url);
  return {
    url,
    said,
    get: (target, { method = 'GET', host = `127.0.0.1:${port}` } = {}) =>
      new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path: target, method, headers: { host } }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
          );
        });
        asked.on('error', reject);
        asked.end();
      }),
    end: async () => {
      running.process.kill('SIGINT');
      return (await running.ended).status;
    },
  };
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const [first, second] = ['20261120-092802-0a1b2c', '20261121-092802-0a1b2d'].map((id) => recordOf({ id }));

describe('serve', () => {
  it('makes the pages of runs, shows them to this machine, and ends by Ctrl-C', async () => {
    const cwd = specFolder({
      'runs/one/run.json': JSON.stringify(first),
      'runs/two/run.json': JSON.stringify(second),
      'runs/other/notes.txt': 'x',
    });
    const served = await serve(cwd, 'runs');
    expect(served.said).toBe(`${path.join(cwd, 'runs')}: ${served.url}wrkbench/\n`);
    const index = await served.get('/wrkbench/');
    expect(index.status).toBe(200);
    expect(index.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(index.body.toString()).toContain('<li data-spec="rest-api"><a href="rest-api/">rest-api</a></li>');
    const found = await Promise.all(
      ['rest-api/', 'assets/app.js', 'assets/pages.css', 'rest-api/badges/verdict.svg', 'rest-api/manifest.json'].map(
        async (file) => {
          const { status, headers } = await served.get(`/wrkbench/${file}`);
          return [file, status, headers['content-type']];
        },
      ),
    );
    expect(found).toEqual([
      ['rest-api/', 200, 'text/html; charset=utf-8'],
      ['assets/app.js', 200, 'text/javascript; charset=utf-8'],
      ['assets/pages.css', 200, 'text/css; charset=utf-8'],
      ['rest-api/badges/verdict.svg', 200, 'image/svg+xml'],
      ['rest-api/manifest.json', 200, 'application/json; charset=utf-8'],
    ]);
    const redirects = await Promise.all(['/', '/wrkbench', '/wrkbench/rest-api?view=run'].map((at) => served.get(at)));
    expect(redirects.map(({ status, headers }) => [status, headers.location])).toEqual([
      [302, '/wrkbench/'],
      [302, '/wrkbench/'],
      [302, '/wrkbench/rest-api/?view=run'],
    ]);
    expect(await served.end()).toBe(0);
  });

  it('shows a checkout of the branch, and nothing above it or behind a link', async () => {
    const cwd = specFolder({
      'site/wrkbench/index.html': '<p>ours</p>',
      'site/wrkbench/.hidden': 'x',
      'site/wrkbench/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'secret.txt': 'secret',
    });
    symlinkSync(path.join(cwd, 'secret.txt'), path.join(cwd, 'site/wrkbench/link.txt'));
    symlinkSync(cwd, path.join(cwd, 'site/wrkbench/above'));
    const served = await serve(path.join(cwd, 'site'));
    expect((await served.get('/wrkbench/')).body.toString()).toBe('<p>ours</p>');
    const refused = await Promise.all(
      [
        '/../secret.txt',
        '/wrkbench/../../secret.txt',
        '/wrkbench/%2e%2e/%2e%2e/secret.txt',
        '/wrkbench/..%2f..%2fsecret.txt',
        '/wrkbench/..%5c..%5csecret.txt',
        '/wrkbench//etc/passwd',
        '/wrkbench/%00',
        '/wrkbench/%zz',
        '/wrkbench/.hidden',
        '/wrkbench/link.txt',
        '/wrkbench/above/secret.txt',
        '/wrkbench/nothing.html',
        'http://elsewhere.example/wrkbench/',
      ].map(async (target) => [target, (await served.get(target)).status]),
    );
    expect(refused.filter(([, status]) => status === 200)).toEqual([]);
    expect((await served.get('/wrkbench/', { host: 'rebound.example' })).status).toBe(421);
    expect((await served.get('/wrkbench/', { method: 'POST' })).status).toBe(405);
    const head = await served.get('/wrkbench/', { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, '11']);
    const logo = await served.get('/wrkbench/logo.svg');
    expect(logo.headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(await served.end()).toBe(0);
  });

  it("shows a clone's data branch, binary files and all, and leaves its checkout alone", async () => {
    const cwd = specFolder({ 'out/run.json': JSON.stringify(first) });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', cwd, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        encoding: 'utf8',
      });
    const logo = Buffer.from('89504e470d0a1a0a00ff80c3280a', 'hex');
    mkdirSync(path.join(cwd, '.wrkbench/templates'), { recursive: true });
    writeFileSync(path.join(cwd, '.wrkbench/templates/logo.png'), logo);
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.wrkbench');
    git('commit', '--quiet', '--message', 'A logo');
    expect((await wrkbench(['publish', 'out', '--remote', '.'], { cwd })).status).toBe(0);
    const before = [git('status', '--porcelain', '--branch'), readFileSync(path.join(cwd, '.git/index'), 'hex')];
    for (const args of [[], ['--remote', '.']]) {
      const served = await serve(cwd, '--branch', 'gh-pages', ...args);
      expect((await served.get('/wrkbench/')).status).toBe(200);
      const picture = await served.get('/wrkbench/assets/logo.png');
      expect([picture.headers['content-type'], picture.body]).toEqual(['image/png', logo]);
      expect((await served.get('/wrkbench/nothing')).status).toBe(404);
      expect(await served.end()).toBe(0);
    }
    expect([git('status', '--porcelain', '--branch'), readFileSync(path.join(cwd, '.git/index'), 'hex')]).toEqual(
      before,
    );
  });

  it('says what is wrong with a call', async () => {
    const cwd = specFolder({ 'empty/x': '', 'broken/run.json': '{' });
    const called = async (...args: string[]) => {
      const { status, stderr } = await wrkbench(['serve', ...args], { cwd });
      return [status, stderr.replaceAll(cwd, '.')];
    };
    expect(await called('empty')).toEqual([
      2,
      './empty holds neither wrkbench/index.html nor a run.json, itself or in one of its folders. Name a checkout of the data branch, the folder of a run or one of several runs; or use --branch gh-pages.\n',
    ]);
    expect(await called('nothing')).toEqual([
      2,
      expect.stringMatching(/^\.\/nothing is not a folder\. Name a checkout/),
    ]);
    expect(await called('broken')).toEqual([
      2,
      expect.stringMatching(/^\.\/broken is left out: .*\n\.\/broken holds no run that can be shown\.\n$/s),
    ]);
    expect(await called('--branch', 'gh-pages')).toEqual([
      2,
      expect.stringMatching(/^The repository at \. knows no branch/),
    ]);
    expect(await called('--branch', '--all')).toEqual([2, expect.stringContaining('--branch')]);
    expect(await called('--remote', 'x')).toEqual([2, expect.stringContaining('--branch names: add it.')]);
    expect(await called('--port', '99999')).toEqual([
      2,
      expect.stringContaining('A port from 0 to 65535 is expected.'),
    ]);
  });
});
