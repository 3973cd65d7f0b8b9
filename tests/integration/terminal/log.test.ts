// needs: nothing
import colors from 'picocolors';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentForLog, forLog, jsonForLog } from '../../../src/entry/log.ts';
import { outputColors } from '../../../src/entry/terminal.ts';

const isColorSupported = colors.isColorSupported;
beforeAll(() => {
  colors.isColorSupported = true;
});
afterAll(() => {
  colors.isColorSupported = isColorSupported;
});
afterEach(() => vi.unstubAllEnvs());

/** For what is run inside, standard output is a terminal, or none. */
function onTerminal<T>(isTTY: boolean, inside: () => T): T {
  const before = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
  Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true });
  try {
    return inside();
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.stdout, 'isTTY');
    else Object.defineProperty(process.stdout, 'isTTY', before);
  }
}

it('keeps the log lines of servers, in a table on standard output, from being commands of a workflow', () => {
  const table = '✗ go was not measured, exited: it says\n    ::add-path::/tmp\n    ##[add-path]/tmp\n';
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  expect(forLog(table)).toBe('✗ go was not measured, exited: it says\n    : :add-path::/tmp\n    ## [add-path]/tmp\n');
  vi.stubEnv('GITHUB_ACTIONS', undefined);
  expect(forLog(table)).toBe(table);
});

describe('what a terminal would obey', () => {
  it('is shown where others wrote it, with our own colours around it', () => {
    onTerminal(true, () => {
      const { red, bold } = outputColors();
      const line = bold(red('go said \u001b[2J\u001b[32mfine\u009b31m\u001b]0;title\u0007\u202e'));
      expect(forLog(line)).toBe(
        '\u001b[1m\u001b[31mgo said ⟨U+001B⟩[2J⟨U+001B⟩[32mfine⟨U+009B⟩31m⟨U+001B⟩]0;title⟨U+0007⟩⟨U+202E⟩\u001b[39m\u001b[22m',
      );
    });
  });

  it('is an escape in JSON, which any program reads as what it was', () => {
    const value = { name: 'a\u001b[2J\u009b31m\u202e\u{e0001}\u2028##[add-path]/tmp', lines: ['x\ny'] };
    const json = jsonForLog(JSON.stringify(value, null, 2));
    expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028]|##\[/u);
    expect(JSON.parse(json)).toEqual(value);
  });

  it('stays as it is in a document that goes to a file, and is shown where that goes to a terminal', () => {
    const csv = 'a,"b\u009b31m"\r\n';
    expect(onTerminal(false, () => documentForLog(csv))).toBe(csv);
    expect(onTerminal(true, () => documentForLog(csv))).toBe('a,"b⟨U+009B⟩31m"\n');
  });
});
