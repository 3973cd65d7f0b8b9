// needs: linux

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createToolbox } from '../../../src/adapters/tools/toolbox.ts';
import type { ProgramRelease } from '../../../src/core/generators/definition.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { release, serving, writeProgram } from './given.ts';

/** A machine that has no generator, whose PATH, home and tool cache are folders of the test. */
let bin: string;
let cache: string;
let temporary: string;
/** What apt-get and go were called with. */
let calls: string;
const before = process.env;

beforeEach(({ onTestFinished }) => {
  const folder = temporaryFolder();
  [bin, cache, temporary] = ['bin', 'tool-cache', 'temp'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [bin, temporary]) mkdirSync(each);
  calls = path.join(folder, 'calls');
  writeFileSync(calls, '');
  // Unpacking takes these two; whoever is not root asks sudo.
  for (const tool of ['tar', 'gzip']) symlinkSync(`/bin/${tool}`, path.join(bin, tool));
  writeProgram(bin, 'sudo', 'shift; exec "$@"');
  onTestFinished(() => {
    process.env = before;
  });
  startStep();
});

/** As a step begins: with the PATH of the machine, whatever the step before has made of its own. */
function startStep(): void {
  process.env = { PATH: bin, HOME: temporary, RUNNER_TOOL_CACHE: cache, GITHUB_TOKEN: 'secret' };
}

interface Ways extends Partial<ProgramRelease> {
  /** Debian's. */
  package?: string;
}

async function bring({ package: debian, ...release }: Ways, signal = new AbortController().signal): Promise<string> {
  const said: string[] = [];
  const k6 = {
    ...generators.k6.program,
    packages: debian === undefined ? {} : { 'apt-get': debian },
    release: { version: '9.0.0', archives: {}, goModule: null, ...release },
  };
  const toolbox = createToolbox({ temporary, programs: { k6 }, say: (text) => said.push(text) });
  await toolbox.bring(['k6'], signal);
  return said.join('\n');
}

const inCache = (name = 'k6') => path.join(cache, 'k6', '9.0.0', process.arch, name);
const called = () => readFileSync(calls, 'utf8').split('\n').filter(Boolean);
const go = (line = `echo k6 > "$GOBIN/k6"; /bin/chmod 755 "$GOBIN/k6"`) =>
  writeProgram(bin, 'go', `echo "go $*" >> ${calls}; ${line}`);
const aptGet = (line: string) => writeProgram(bin, 'apt-get', `echo "apt-get $*" >> ${calls}; ${line}`);
const released = (url: string, { sha256, program } = release()) => ({
  [`${process.platform}-${process.arch}`]: { url, sha256, program },
});
const goModule = 'go.example/k6@v9.0.0';

describe('a program that is missing', () => {
  it('is taken from the first way that is open: here, cache, download, package, Go', async () => {
    const given = release();
    const open = { archives: released(await serving(given.archive), given), package: 'k6', goModule };
    const here = writeProgram(bin, 'k6', 'echo here');
    writeProgram(path.dirname(inCache()), 'k6', 'echo cached');
    writeFileSync(`${path.dirname(inCache())}.complete`, '');
    const packaged = `/bin/cp ${writeProgram(temporary, 'packaged', 'echo packaged')} ${here}`;
    aptGet(packaged);
    go();

    expect(await bring(open)).toBe(`k6: ${here} (was here)`);
    startStep();
    rmSync(here);
    expect(await bring(open)).toBe(`k6: ${inCache()} (from the runner's tool cache)`);
    expect(process.env.PATH).toBe(`${path.dirname(inCache())}:${bin}`);
    expect(called()).toEqual([]);

    startStep();
    rmSync(cache, { recursive: true });
    expect(await bring(open)).toBe(`k6: ${inCache()} (downloaded, 9.0.0)`);
    expect(called()).toEqual([]);

    startStep();
    rmSync(cache, { recursive: true });
    const gone = { ...open, archives: released(await serving(Buffer.from('no'), 404)) };
    expect(await bring(gone)).toBe(`k6: ${here} (installed by apt-get)`);
    expect(called()).toEqual(['apt-get install --yes --no-install-recommends k6']);

    startStep();
    rmSync(here);
    aptGet('exit 100');
    expect(await bring(gone)).toBe(`k6: ${inCache()} (built from ${goModule})`);
  });

  it('is asked for with the reason of each way that was closed', async () => {
    const url = await serving(Buffer.from('no'), 404);
    aptGet('echo E: no such package >&2; exit 100');
    go('echo no such module >&2; exit 1');
    const bringing = bring({ archives: released(url), package: 'k6', goModule });
    await expect(bringing).rejects.toThrow(
      expect.objectContaining({
        name: 'ToolMissing',
        message: expect.stringMatching(
          /^k6 was found neither on the PATH .*\nhttp:.*: the answer was 404\.\nDebian's package k6 cannot be installed: .*E: no such package.*\ngo install go\.example\/k6@v9\.0\.0 failed: .*no such module/s,
        ),
      }),
    );
  });

  it('is brought to an end with the reason of the abort', async () => {
    const url = await serving(release().archive);
    const abort = AbortSignal.abort(new Error('cancelled'));
    await expect(bring({ archives: released(url) }, abort)).rejects.toThrow('cancelled');
  });
});

describe('a later step', () => {
  it('finds what was downloaded in the tool cache', async () => {
    const given = release();
    const archives = released(await serving(given.archive), given);
    expect(await bring({ archives })).toContain('downloaded');
    startStep();
    const gone = released('http://127.0.0.1:9/release.tar.gz');
    expect(await bring({ archives: gone })).toBe(`k6: ${inCache()} (from the runner's tool cache)`);
  });

  it('finds what Go has built there, and builds nothing', async () => {
    go();
    expect(await bring({ goModule })).toBe(`k6: ${inCache()} (built from ${goModule})`);
    startStep();
    expect(await bring({ goModule })).toBe(`k6: ${inCache()} (from the runner's tool cache)`);
    expect(called()).toEqual([`go install ${goModule}`]);
  });

  it('asks for another version again', async () => {
    go();
    await bring({ goModule });
    startStep();
    expect(await bring({ goModule, version: '9.1.0' })).toContain(`(built from ${goModule})`);
  });

  it('does the work again where nothing can be kept', async () => {
    go();
    writeFileSync(cache, 'a file where the folder would be');
    expect(await bring({ goModule })).toContain(`(built from ${goModule})`);
    startStep();
    delete process.env.RUNNER_TOOL_CACHE;
    expect(await bring({ goModule })).toContain(`(built from ${goModule})`);
    expect(called()).toHaveLength(2);
  });
});

describe('a package', () => {
  it('is looked for in new lists where the old ones lack it, and is not put into the tool cache', async () => {
    const here = path.join(bin, 'k6');
    const lists = path.join(temporary, 'lists');
    aptGet(`case "$1" in update) : > ${lists} ;; *) [ -e ${lists} ] && : > ${here} && /bin/chmod 755 ${here} ;; esac`);
    expect(await bring({ package: 'k6' })).toBe(`k6: ${here} (installed by apt-get)`);
    const install = 'apt-get install --yes --no-install-recommends k6';
    expect(called()).toEqual([install, 'apt-get update', install]);
    expect(existsSync(cache)).toBe(false);
  });

  it('that brings another program than its name says is none', async () => {
    aptGet('exit 0');
    await expect(bring({ package: 'k6' })).rejects.toThrow("Debian's package k6 brought no k6.");
  });
});

it('Go is told nothing of the job', async () => {
  go(`/usr/bin/env >> ${calls}; : > "$GOBIN/k6"; /bin/chmod 755 "$GOBIN/k6"`);
  await bring({ goModule });
  const names = called().flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect(names.filter((name) => name !== 'PWD' && name !== '_').sort()).toEqual([
    'GOBIN',
    'GOTOOLCHAIN',
    'HOME',
    'PATH',
  ]);
});
