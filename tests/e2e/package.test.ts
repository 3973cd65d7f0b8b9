// needs: nothing
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';
let tarball = '';
let before = '';

/** What packing reads, in a folder of its own: it rewrites package.json for a moment. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-package-'));
  const source = path.join(folder, 'source');
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'dist', 'schema', 'scripts/pack.mjs']) {
    cpSync(name, path.join(source, name), { recursive: true });
  }
  before = readFileSync('package.json', 'utf8');
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'pipe' });
  tarball = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npx wrkbench …` from the tarball: an empty cache, and no registry to ask. */
function npx(...args: string[]) {
  const place = path.join(folder, 'elsewhere');
  mkdirSync(place, { recursive: true });
  const env = { ...process.env, npm_config_cache: path.join(folder, 'cache'), npm_config_offline: 'true' };
  return spawnSync('npx', ['--yes', '--package', tarball, 'wrkbench', ...args], { cwd: place, env, encoding: 'utf8' });
}

describe('the package', () => {
  it('names nothing to install, and leaves the own package.json as it was', () => {
    const packed = JSON.parse(
      execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
    ) as Record<string, unknown>;
    expect(Object.keys(packed).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
    expect(packed.bin).toEqual({ wrkbench: 'dist/cli.cjs' });
    expect(readFileSync(path.join(folder, 'source', 'package.json'), 'utf8')).toBe(before);
  });

  it('holds the command, the demo and the notices of what is bundled, and no sources', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining([
        ...['package/dist/cli.cjs', 'package/dist/certificate.cjs'],
        ...['package/dist/licenses.txt', 'package/LICENSE'],
      ]),
    );
    const demo = files.flatMap((name) => /^package\/dist\/demo\/(.+)$/.exec(name)?.[1] ?? []).sort();
    expect(demo).toEqual([
      'Dockerfile',
      'comparison.yml',
      'demo-server.cjs',
      'schema.sql',
      'users.sql',
      'wrkbench.yml',
    ]);
    expect(files.filter((name) => /\.ts$|node_modules|fixtures|tests/.test(name))).toEqual([]);
  });

  it('runs by npx from the tarball, without a registry', () => {
    const { version } = JSON.parse(before) as { version: string };
    expect(npx('--version')).toMatchObject({ stdout: `${version}\n`, status: 0 });
    writeFileSync(
      path.join(folder, 'elsewhere', 'wrkbench.yml'),
      'name: api\nservices: {go: {image: acme/go, port: 8080}}\nendpoints: {ping: /ping}\nload: {preset: quick}\n',
    );
    expect(npx('validate')).toMatchObject({ stdout: expect.stringMatching(/^wrkbench\.yml is valid: /), status: 0 });
    expect(npx('report', 'nowhere').status).not.toBe(0);
  });
});
