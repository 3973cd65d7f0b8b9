// needs: root, linux
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoreLeft, setForRun } from '../../../src/adapters/machine/sysctls.ts';

const FILE = '/proc/sys/net/ipv4/tcp_tw_reuse';
const value = () => readFileSync(FILE, 'utf8').trim();
const NAME = 'net.ipv4.tcp_tw_reuse';

describe('kernel settings for a run', () => {
  let before = '';
  beforeEach(() => {
    before = value();
    execFileSync('sysctl', ['-qw', `${NAME}=2`]);
  });
  afterEach(() => {
    setForRun({}).restore();
    execFileSync('sysctl', ['-qw', `${NAME}=${before}`]);
  });

  it('are set, told, and put back', () => {
    const { changed, restore } = setForRun({ [NAME]: '1' });
    expect(changed).toEqual([{ name: NAME, from: '2', to: '1' }]);
    expect(value()).toBe('1');
    restore();
    expect(value()).toBe('2');
  });

  it('are put back by the next run where one was killed', () => {
    setForRun({ [NAME]: '1' });
    const next = setForRun({ [NAME]: '0' });
    expect(next.changed).toEqual([{ name: NAME, from: '2', to: '0' }]);
    next.restore();
    expect(value()).toBe('2');
  });

  it('are put back without another run where one was killed, and told once', () => {
    setForRun({ [NAME]: '1' });
    expect(restoreLeft()).toEqual({ [NAME]: '2' });
    expect(value()).toBe('2');
    expect(restoreLeft()).toEqual({});
  });

  it('are left alone where they are as wanted already, or unknown', () => {
    expect(setForRun({ [NAME]: '2', 'net.ipv4.no_such_thing': '1' }).changed).toEqual([]);
  });
});
