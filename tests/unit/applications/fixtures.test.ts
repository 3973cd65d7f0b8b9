import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { APPLICATIONS, applicationNamed, releaseOf } from '../../../scripts/applications/catalogue.mjs';
import { fixtureFolder } from '../../../scripts/applications/installation.mjs';
import { applyChange, type OneLineChange } from '../../../scripts/applications/one-line-change.mjs';
import { takenFrom } from '../../../scripts/applications/proof/taken-values.ts';
import { filled, readWrittenSpec, type WrittenStep } from '../../../scripts/applications/proof/written-spec.ts';

const changeOf = (name: string) =>
  JSON.parse(readFileSync(join(fixtureFolder(name), 'slower.json'), 'utf8')) as OneLineChange;

describe('the applications that others wrote', () => {
  it.each(APPLICATIONS)('has two pinned releases of $name, each described', ({ name, releases, from }) => {
    const readMe = readFileSync(join(fixtureFolder(name), 'README.md'), 'utf8');
    expect(Object.keys(releases)).toHaveLength(2);
    for (const [release, { before }] of Object.entries(releases)) {
      expect(release).toMatch(/^\d+\.\d+\.\d+$/);
      expect(readMe).toContain(release);
      expect(before !== undefined).toBe(from === 'npm');
    }
  });

  it.each(APPLICATIONS)('pins every package of $name that pip would choose', ({ name, releases, from }) => {
    for (const release of from === 'pypi' ? Object.keys(releases) : []) {
      const list = readFileSync(join(fixtureFolder(name), `requirements-${release}.txt`), 'utf8');
      const packages = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      expect(packages).toContain(`${name}==${release}`);
      for (const each of packages) expect(each).toMatch(/^[\w.-]+==[\w.]+$/);
    }
  });

  it.each(APPLICATIONS)('names files and programs of $name that are there, or come by installing', ({ name }) => {
    const { services, prepare = [] } = readWrittenSpec(join(fixtureFolder(name), 'wrkbench.yml'));
    const words = [...Object.values(services).flatMap(({ command }) => command), ...prepare.flatMap(jobOf)];
    expect(words.some((word) => word.includes('installed/'))).toBe(true);
    for (const step of prepare) {
      for (const file of 'sql' in step ? [step.sql].flat() : []) {
        expect(existsSync(join(fixtureFolder(name), file))).toBe(true);
      }
    }
  });

  it.each(APPLICATIONS)('changes one line of $name into another', ({ name }) => {
    const { line, replacement, why } = changeOf(name);
    expect(line).not.toContain('\n');
    expect(replacement).not.toContain('\n');
    expect(replacement).not.toBe(line);
    expect(why).toMatch(/\.$/);
  });

  it('says which applications and releases there are', () => {
    expect(() => applicationNamed('minifux')).toThrow(
      /^There is no application minifux: use one of openfga, miniflux,/,
    );
    const miniflux = applicationNamed('miniflux');
    expect(releaseOf(miniflux)).toBe(Object.keys(miniflux.releases)[0]);
    expect(() => releaseOf(miniflux, '1.0.0')).toThrow(/^miniflux 1\.0\.0 is not one of the pinned releases: use /);
  });
});

function jobOf(step: WrittenStep): string[] {
  return 'job' in step ? step.job : [];
}

describe('a change of one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-change-'));
  const change = { file: 'a.js', line: 'if (cached) {', replacement: 'if (!cached) {', why: '' };
  afterEach(() => rmSync(join(folder, 'a.js'), { force: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made where the line is there once', () => {
    writeFileSync(join(folder, 'a.js'), 'before\n  if (cached) {\nafter\n');
    applyChange(folder, change);
    expect(readFileSync(join(folder, 'a.js'), 'utf8')).toBe('before\n  if (!cached) {\nafter\n');
  });

  it('fails where the line is gone, is there twice, or has no file', () => {
    expect(() => applyChange(folder, change)).toThrow(/cannot be made in a\.js: there is no such file\./);
    writeFileSync(join(folder, 'a.js'), 'before\n');
    expect(() => applyChange(folder, change)).toThrow(/the line is not in it\. Correct slower\.json/);
    writeFileSync(join(folder, 'a.js'), 'if (cached) {\nif (cached) {\n');
    expect(() => applyChange(folder, change)).toThrow(/the line is in it 2 times\./);
  });
});

describe('a proof of a spec', () => {
  const headers = new Headers([
    ['x-csrf-token', 'c'],
    ['set-cookie', 'other=1'],
    ['set-cookie', 'sid=s; Path=/'],
  ]);
  const answer = { status: 200, headers, body: '{"data": {"keys": [{"token": "t"}], "id": 7}}' };

  it('takes values from body, headers and cookies', () => {
    const take = { token: '$.data.keys[0].token', id: '$.data.id', csrf: 'header:x-csrf-token', session: 'cookie:sid' };
    expect(takenFrom(answer, take)).toEqual({ token: 't', id: '7', csrf: 'c', session: 's' });
  });

  it('says what an answer does not have', () => {
    expect(() => takenFrom(answer, { token: '$.access_token' })).toThrow(/^\$\.access_token is not in the answer/);
  });

  it('fills in what is known, and names what is not', () => {
    expect(filled('Bearer ${login.token}', { 'login.token': 't' })).toBe('Bearer t');
    expect(() => filled('${prepare.store}', { n: '1' })).toThrow(
      '${prepare.store} stands for nothing here; there are n.',
    );
  });
});
