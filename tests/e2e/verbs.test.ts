// needs: wrk, git
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reportFormats } from '../../src/core/report/registry.ts';
import { specFolder } from '../support/spec-folder.ts';
import { wrkbench } from './support/command.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

/** The command takes its standard streams for a terminal, which pipes are not. */
const TERMINAL = {
  NODE_OPTIONS: `--require ${JSON.stringify(fileURLToPath(new URL('support/as-terminal.cjs', import.meta.url)))}`,
  TERM: 'xterm',
};

describe('the command itself', () => {
  it('prints its version, and nothing else', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const option of ['--version', '-v'])
      expect(await wrkbench([option])).toMatchObject({ stdout: `${version}\n`, status: 0 });
  });

  it('has completions, which shells ask it for', async () => {
    expect((await wrkbench(['completion', 'bash'])).stdout).toContain('complete -F __wrkbench_complete wrkbench');
    expect((await wrkbench(['complete', '--', 'run', '--run'])).stdout).toMatch(/^--runtime\t/);
    expect((await wrkbench(['complete', '--', 'run', '--wa'])).stdout).toMatch(/^--wait\t/);
    expect((await wrkbench(['complete', '--', 'plan', '--run'])).stdout).toMatch(/^--runtime\t/);
    expect((await wrkbench(['complete', '--', 'va'])).stdout).toMatch(/^validate\t/);
    expect((await wrkbench(['complete', '--', 'import', '--sp'])).stdout).toMatch(/^--spec\t/);
    expect((await wrkbench(['complete', '--', 'report', '--in'])).stdout).toMatch(/^--into\t/);
    expect((await wrkbench(['complete', '--', '--no'])).stdout).toMatch(/^--no-color\t/);
    expect((await wrkbench(['--help'])).stdout).toMatch(/^ {2}completion <shell> /m);
  });
});

describe('a wrong call', () => {
  it.each([
    [['runn'], /unknown command 'runn'[\s\S]*Did you mean run\?/],
    [['run', '--quik'], /unknown option '--quik'[\s\S]*Did you mean --quick\?/],
    [['run', '--seed', 'x'], /A whole number from 0 to 4294967295 is expected\./],
    [['run', '--wait', 'long'], /Expected a duration such as 10m or 90s, or 0\./],
    [['run', '--runtime', 'podman'], /Allowed choices are docker, process, auto/],
    [
      ['run', 'nowhere.yml'],
      /nowhere\.yml: there is no such file\. Name the spec file, or write one with: wrkbench init/,
    ],
    [
      ['run', '--resume', 'x', '--quick', fixture('suites/demo/wrkbench.yml')],
      /leave out --only, --quick, --shard, --seed, --baseline and --accept/,
    ],
    [
      ['run', '--resume', 'x', '--accept', '/ping=so', fixture('suites/demo/wrkbench.yml')],
      /leave out --only, --quick, --shard, --seed, --baseline and --accept/,
    ],
    [['run', '--resume', 'nowhere', fixture('suites/demo/wrkbench.yml')], /nowhere/],
    [['parse', '--tool', 'wrk', fixture('suites/demo/wrkbench.yml')], /wrk/],
    [
      ['parse', fixture('suites/demo/wrkbench.yml')],
      /This is not an output of wrk, k6, ab or h2load: no line of theirs is in it/,
    ],
    [['report', 'nowhere'], /nowhere: there is no such file/],
    [
      ['report', fixture('records/small.json'), '--into', 'x.md', '--format', 'html'],
      /--format html renders one run by itself: leave out --into and --template/,
    ],
    [
      ['report', fixture('records/small.json'), fixture('records/small.json')],
      /The run 20260301T101500Z-7f3a is named twice: name each run once/,
    ],
    [
      ['report', fixture('records/small.json'), '--template', 'nowhere.md'],
      /--template nowhere\.md: there is no such file/,
    ],
    [
      ['plan', fixture('suites/demo/wrkbench.yml'), '--only', 'pink'],
      /--only 'pink' fits none of the 25 cases[\s\S]*ping/,
    ],
    [['import', 'nowhere.js', '--spec', 'x', '--into', '.'], /nowhere\.js: there is no such file\. Name a data\.js/],
    [
      ['import', fixture('records/small.json'), '--spec', 'x', '--into', '.'],
      /is not a data\.js of github-action-benchmark/,
    ],
    [['import', fixture('github-action-benchmark/data.js')], /required option '--spec <name>' not specified/],
    [
      ['import', fixture('github-action-benchmark/data.js'), '--spec', '../x', '--into', '.'],
      /--spec "\.\.\/x" is not a name of a spec/,
    ],
    [
      ['import', fixture('github-action-benchmark/data.js'), '--spec', 'x', '--into', '.', '--remote', 'y'],
      /option '--into <dir>' cannot be used with option '--remote <url>'/,
    ],
    [
      ['import', fixture('github-action-benchmark/data.js'), '--spec', 'x', '--into', 'nowhere'],
      /--into nowhere: there is no such folder/,
    ],
    [['init', 'nowhere'], /nowhere is not a folder that can be read/],
  ])('%j is answered in a sentence, with exit status 2', async (args, sentence) => {
    const { status, stdout, stderr } = await wrkbench(args, { cwd: specFolder({}) });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('defect');
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});

describe('a wrong spec', () => {
  it('has its names shown, where a terminal would obey them', async () => {
    const named = 'name: "a\\u001b[2J\\u009b31m\\u202e"\nservices: {"g\\u001b]0;o\\u0007": &a\u200b 1}\n';
    const { status, stderr } = await wrkbench(['validate'], { cwd: specFolder({ 'wrkbench.yml': named }) });
    expect(status).toBe(2);
    expect(stderr).toContain('⟨U+200B⟩');
    expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  const spec = `name: api
services:
  go: {imagee: "x:1", port: 80800}
endpoints:
  ping: {path: ping}
load:
  wrk: {conections: [100]}
`;

  it('gets every mistake at once, with its line and the nearest key, and exit status 2', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec });
    const { status, stderr } = await wrkbench(['validate'], { cwd: folder });
    expect(stderr).toMatch(/wrkbench\.yml:3:8: .*imagee.*did you mean `image`/);
    expect(stderr).toMatch(/wrkbench\.yml:7:9: .*conections.*did you mean `connections`/);
    expect(stderr).toMatch(/wrkbench\.yml:5:\d+: /);
    expect(status).toBe(2);
  });

  it('is as JSON on request', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec });
    const { status, stdout } = await wrkbench(['validate', '--json'], { cwd: folder });
    const { ok, diagnostics } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(diagnostics.length).toBeGreaterThanOrEqual(3);
    expect(diagnostics[0]).toMatchObject({ file: 'wrkbench.yml', line: 3 });
    expect(status).toBe(2);
  });

  it('names each file that its folder does not hold, and so does doctor', async () => {
    const named = `name: api
services:
  go: {build: {context: app}, port: 8080}
database: {init: schema.sql}
endpoints: {ping: /ping}
`;
    const folder = specFolder({ 'wrkbench.yml': named, 'app/main.go': '' });
    const validated = await wrkbench(['validate'], { cwd: folder });
    expect(validated.stderr).toBe(
      [
        'wrkbench.yml:3:8: services.go.build has no file `app/Dockerfile`: write one, or name another with `dockerfile`',
        '  3 |   go: {build: {context: app}, port: 8080}',
        '    |        ^^^^^',
        '',
        'wrkbench.yml:4:18: database.init names `schema.sql`, and there is no such file: paths are relative to the folder of the spec',
        '  4 | database: {init: schema.sql}',
        '    |                  ^^^^^^^^^^',
        '',
        '2 errors in wrkbench.yml',
        '',
      ].join('\n'),
    );
    expect(validated.status).toBe(2);
    const { status, stdout } = await wrkbench(['doctor', 'wrkbench.yml', '--json'], { cwd: folder });
    expect(status).toBe(3);
    const files = JSON.parse(stdout).findings.filter(({ code }: { code: string }) => code === 'spec-files');
    expect(files).toContainEqual(
      expect.objectContaining({ severity: 'problem', message: expect.stringContaining('names `schema.sql`') }),
    );
  });

  it('stops run before anything is started', async () => {
    const { status, stderr } = await wrkbench(['run'], { cwd: specFolder({ 'wrkbench.yml': spec }) });
    expect(stderr).toMatch(/^wrkbench\.yml:3:8: unknown key `imagee` in services\.go: did you mean `image`\?/);
    expect(status).toBe(2);
  });
});

describe('a terminal', () => {
  const right = {
    'wrkbench.yml': 'name: api\nservices: {go: {image: acme/api, port: 8080}}\nendpoints: {ping: /ping}\n',
  };
  const wrong = { 'wrkbench.yml': right['wrkbench.yml'].replace('ping: /ping', 'ping: {path: /ping, pth: 1}') };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
  const COLOUR = /\u001b\[\d+m/;

  it('has the errors of a spec in colours, and that it is valid', async () => {
    const { stderr } = await wrkbench(['validate'], { cwd: specFolder(wrong), env: TERMINAL });
    expect(stderr).toContain('\u001b[1mwrkbench.yml:3:33:\u001b[22m unknown key `pth` in endpoints.ping');
    expect(stderr).toContain('\u001b[31m^^^\u001b[39m');
    const { stdout } = await wrkbench(['validate'], { cwd: specFolder(right), env: TERMINAL });
    expect(stdout).toContain('\u001b[32mwrkbench.yml is valid\u001b[39m: 1 service');
  });

  it.each([
    ['NO_COLOR is set', ['validate'], { ...TERMINAL, NO_COLOR: '1' }],
    ['--no-color stands behind the command', ['validate', '--no-color'], TERMINAL],
    ['--no-color stands before the command', ['--no-color', 'validate'], TERMINAL],
    ['it is none', ['validate'], {}],
  ])('has no colours where %s', async (_, args, env) => {
    for (const folder of [specFolder(wrong), specFolder(right)]) {
      const { stdout, stderr } = await wrkbench(args, { cwd: folder, env });
      expect(stdout + stderr).toContain('wrkbench.yml');
      expect(stdout + stderr).not.toMatch(COLOUR);
    }
  });

  it('has a table where a report is asked for without a format, and what is asked for otherwise', async () => {
    const record = fixture('records/apostol.json');
    const report = (args: string[], env: Record<string, string>) => wrkbench(['report', record, ...args], { env });
    const [table, markdown, piped] = await Promise.all([
      report(['--no-color'], TERMINAL),
      report(['--format', 'markdown'], TERMINAL),
      report([], {}),
    ]);
    expect(table.stdout).toMatch(/^wrk .* RPS .* p50 .* p99$/m);
    expect(table.stdout).not.toMatch(/^\| /m);
    expect(markdown.stdout).toMatch(/^\| /m);
    expect(piped.stdout).toBe(markdown.stdout);
  });
});

describe('init', () => {
  it('writes a spec that validate takes, and never over another', async () => {
    const folder = specFolder({ Dockerfile: 'FROM scratch\nEXPOSE 9000\nCMD ["/server"]\n' });
    const first = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect(first.status).toBe(0);
    expect(readFileSync(path.join(folder, 'wrkbench.yml'), 'utf8')).toMatch(/9000/);
    expect((await wrkbench(['validate'], { cwd: folder })).status).toBe(0);
    writeFileSync(path.join(folder, 'wrkbench.yml'), 'mine');
    const second = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect(second.status).toBe(2);
    expect(second.stderr).toMatch(/wrkbench\.yml/);
    expect(readFileSync(path.join(folder, 'wrkbench.yml'), 'utf8')).toBe('mine');
  });
});

describe('init in a repository', () => {
  const repository = () => {
    const folder = specFolder({ Dockerfile: 'FROM scratch\nEXPOSE 9000\nCMD ["/server"]\n' });
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'trunk'], { cwd: folder });
    const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
    execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'First'], { cwd: folder });
    return folder;
  };

  it('writes a workflow for its branch, which asks for no more than it needs', async () => {
    const folder = repository();
    const { status, stdout } = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect([status, stdout]).toEqual([
      0,
      `wrkbench.yml is written: ${path.basename(folder).toLowerCase()} on port 9000, 1 endpoint.\n` +
        '  A pull request waits about 5 min 40 s in all, without building images.\n' +
        ".github/workflows/benchmark.yml is written: it gates pull requests of the repository's own branches.\n" +
        'Read it, then: wrkbench validate\n',
    ]);
    const written = readFileSync(path.join(folder, '.github/workflows/benchmark.yml'), 'utf8');
    expect(written).toBe(readFileSync('workflows/gate.yml', 'utf8').replace('[main]', '["trunk"]'));
  });

  it('leaves a workflow that is there', async () => {
    const folder = repository();
    mkdirSync(path.join(folder, '.github/workflows'), { recursive: true });
    writeFileSync(path.join(folder, '.github/workflows/benchmark.yml'), 'mine');
    const { status, stdout } = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect([status, stdout]).toEqual([
      0,
      `wrkbench.yml is written: ${path.basename(folder).toLowerCase()} on port 9000, 1 endpoint.\n` +
        '  A pull request waits about 5 min 40 s in all, without building images.\n' +
        'Read it, then: wrkbench validate\n',
    ]);
    expect(readFileSync(path.join(folder, '.github/workflows/benchmark.yml'), 'utf8')).toBe('mine');
  });

  it('writes the two workflows of a repository with forks, the one that has branches for its own', async () => {
    const folder = repository();
    const { status, stdout } = await wrkbench(['init', '--no-try', '--forks'], { cwd: folder });
    expect(status).toBe(0);
    expect(stdout).toContain('.github/workflows/measure.yml is written');
    expect(stdout).toContain('.github/workflows/report.yml is written');
    const written = (name: string) => readFileSync(path.join(folder, '.github/workflows', name), 'utf8');
    expect(readdirSync(path.join(folder, '.github/workflows')).sort()).toEqual(['measure.yml', 'report.yml']);
    expect(written('measure.yml')).toBe(readFileSync('workflows/measure.yml', 'utf8').replace('[main]', '["trunk"]'));
    expect(written('report.yml')).toBe(readFileSync('workflows/report.yml', 'utf8'));
  });

  it('prints what it would write, and writes nothing, with --dry-run', async () => {
    const folder = repository();
    const { status, stdout } = await wrkbench(['init', '--dry-run'], { cwd: folder });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^--- wrkbench\.yml\n# yaml-language-server: \$schema=https:/);
    expect(stdout).toContain('--- .github/workflows/benchmark.yml\n');
    expect(stdout).toContain('wrkbench.yml would be written: ');
    expect(readdirSync(folder).sort()).toEqual(['.git', 'Dockerfile']);
  });

  it('writes a spec for each service that answers something else, and one workflow for all of them', async () => {
    const folder = repository();
    cpSync(fixture('repositories/monorepo'), folder, { recursive: true });
    rmSync(path.join(folder, 'Dockerfile'));
    const { status } = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect(status).toBe(0);
    const workflow = readFileSync(path.join(folder, '.github/workflows/benchmark.yml'), 'utf8');
    expect(parse(workflow).jobs.measure.with).toEqual({ spec: 'wrkbench.*.yml' });
    for (const name of ['wrkbench.a.yml', 'wrkbench.b.yml']) {
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe(
        readFileSync(fixture(`repositories/monorepo/expected/${name}`), 'utf8'),
      );
      expect((await wrkbench(['validate', name], { cwd: folder })).status).toBe(0);
    }
    const again = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect([again.status, again.stderr]).toEqual([
      2,
      'wrkbench.a.yml is there already and stays as it is. Remove or rename it to have a new one written.\n',
    ]);
  });

  it('writes nothing where nothing shows a server, and says what it looked for, with exit status 1', async () => {
    const folder = specFolder({ 'README.md': '# A library' });
    const { status, stdout, stderr } = await wrkbench(['init', '--no-try'], { cwd: folder });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'Nothing in this repository shows a server that could be measured, and nothing is written.\n' +
        'wrkbench init looks for Dockerfiles, compose files, and the manifests and routes of common frameworks. Add a Dockerfile, name the\n' +
        'folder of the server (wrkbench init FOLDER), or write wrkbench.yml by hand: docs/spec.md has the least that works.\n',
    );
    expect(readdirSync(folder)).toEqual(['README.md']);
  });
});

describe('plan', () => {
  it('is the same for the same seed, and says how long it takes', async () => {
    const plan = (seed: string) => wrkbench(['plan', fixture('suites/demo/wrkbench.yml'), '--seed', seed]);
    const [one, two, other] = await Promise.all([plan('7'), plan('7'), plan('8')]);
    expect(one.stdout).toBe(two.stdout);
    expect(one.stdout).not.toBe(other.stdout);
    expect(one.stdout).toMatch(/25 cases/);
    expect(one.stdout).toMatch(/ s\b| min\b/);
  });

  it('predicts what comparing with a baseline takes and shows, in words and as JSON', async () => {
    const spec = fixture('suites/demo/wrkbench.yml');
    const [text, json] = await Promise.all([wrkbench(['plan', spec]), wrkbench(['plan', spec, '--json'])]);
    expect(text.stdout).toContain(
      'Comparing with a baseline takes up to 9 min (`gate.budget: auto`; up to 12 min where its rounds take longer or are noisier). A pull request waits about 12 min in all',
    );
    expect(text.stdout).toMatch(/rest-node, about \d+ rounds of \d+ s, 1 trial of both sides per case in each/);
    expect(text.stdout).toMatch(/cpu-per-request +each endpoint +limit \+3 % +from \+[\d.]+ %/);
    const { comparing } = JSON.parse(json.stdout);
    expect(comparing).toMatchObject({ budgetSeconds: 540, services: [{ service: 'rest-node', pairing: 'duet' }] });
    // Throughput of each case of wrk, p50 of k6, CPU and memory of both; and what is judged together.
    expect(comparing.services[0].changes).toHaveLength(1 + 5 + 20 + (1 + 5) + (1 + 5 + 25) + (1 + 25));
  });
});

describe('doctor', () => {
  it('tells as JSON what it tells in words', async () => {
    const [text, json] = [await wrkbench(['doctor']), await wrkbench(['doctor', '--json'])];
    const report = JSON.parse(json.stdout);
    expect(report).toMatchObject({ ok: true });
    expect(text.status).toBe(0);
    expect(text.stdout).toMatch(/✓ wrk/);
    expect(report.findings.map(({ code }: { code: string }) => code)).toContain('wrk');
  });
});

describe('parse', () => {
  it.each([[['--tool', 'wrk']], [[]]])('reads a file, with %j', async (tool) => {
    const file = fixture('generators/wrk/ichor-http/ichor-beast-2.txt');
    const { status, stdout } = await wrkbench(['parse', ...tool, file]);
    expect(JSON.parse(stdout)).toMatchObject({ tool: 'wrk', requests: 4038387, throughput: 67194.72 });
    expect(status).toBe(0);
  });
});

describe('report', () => {
  it.each(reportFormats.map(({ name }) => name))('renders a record as %s', async (format) => {
    const { status, stdout } = await wrkbench(['report', fixture('records/apostol.json'), '--format', format]);
    expect(status).toBe(0);
    expect(stdout.length).toBeGreaterThan(500);
  });

  it('offers in its help the formats that there are', async () => {
    const { stdout } = await wrkbench(['report', '--help']);
    const offered = /choices:([^)]*?)(?:, default|\))/s.exec(stdout.replaceAll(/\s+/g, ' '))?.[1];
    expect(offered?.match(/[a-z-]{3,}/g)).toEqual(reportFormats.map(({ name }) => name));
  });
});

describe('a written report', () => {
  const runs = { direct: fixture('records/apostol.json') };
  const otherRun = readFileSync(runs.direct, 'utf8').replace('20260301T101500Z-7f3a', '20260301T111500Z-0a1b');

  it('is begun from our template, and is as it was when it is made again', async () => {
    const cwd = specFolder({ 'out/run.json': readFileSync(runs.direct, 'utf8') });
    const file = path.join(cwd, 'docs-BENCHMARK.md');
    const first = await wrkbench(['report', 'out', '--into', 'docs-BENCHMARK.md'], { cwd });
    expect(first).toEqual({
      status: 0,
      stdout: 'docs-BENCHMARK.md is written: 26 blocks and 1 value from 1 run.\n',
      stderr: '',
    });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('](out/raw/go-ping-direct-wrk-keep-alive-100-1.txt)');
    const second = await wrkbench(['report', 'out', '--into', 'docs-BENCHMARK.md'], { cwd });
    expect(second.stdout).toBe('docs-BENCHMARK.md is as it was: 26 blocks and 1 value from 1 run say the same.\n');
    expect(readFileSync(file, 'utf8')).toBe(text);
    writeFileSync(path.join(cwd, 'other.json'), otherRun);
    const both = await wrkbench(['report', 'out', 'pooled=other.json'], { cwd });
    expect(both.stdout).toContain('REST API Benchmark and pooled were measured at different times');
  });

  it("begins as the project's template says, and leaves what its author writes", async () => {
    const cwd = specFolder({
      '.wrkbench/templates/benchmark.md': '# Ours\n\n<!-- wrkbench:begin ranking -->\n<!-- wrkbench:end -->\n',
    });
    expect((await wrkbench(['report', runs.direct, '--into', 'B.md'], { cwd })).status).toBe(0);
    const file = path.join(cwd, 'B.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('# Ours', '# Mine').concat('\nWhy it is so.\n'));
    const before = readFileSync(file, 'utf8');
    expect((await wrkbench(['report', runs.direct, '--into', 'B.md'], { cwd })).stdout).toContain('B.md is as it was');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(before).toMatch(/^# Mine\n\n<!-- wrkbench:begin ranking -->\n\n6 tests[\s\S]*Why it is so\.\n$/);
  });

  it('is left as it was where a marker cannot be understood, which is named with its line', async () => {
    const broken = '# Mine\n\n<!-- wrkbench:begin resluts -->\nold\n<!-- wrkbench:end -->\n';
    const cwd = specFolder({ 'B.md': broken });
    const { status, stdout, stderr } = await wrkbench(['report', runs.direct, '--into', 'B.md'], { cwd });
    expect(stderr).toBe('B.md:3: there is no block `resluts`. Is `results` meant? Nothing was written.\n');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(readFileSync(path.join(cwd, 'B.md'), 'utf8')).toBe(broken);
  });
});
