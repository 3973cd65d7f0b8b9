import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCommands, workflowCommand } from '../../../src/core/action/workflow-commands.ts';

/** `Char.IsWhiteSpace`, which .NET's `TrimStart` goes by. */
const WHITE_SPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** The commands of a log as GitHub's runner finds them, of any name: `TryParseV2` first, then `TryParse`, line by line. */
function commandsIn(log: string): string[] {
  return log.split(/\r\n|\r|\n/).flatMap((line) => {
    let start = 0;
    while (start < line.length && WHITE_SPACE.includes(line[start]!)) start += 1;
    const trimmed = line.slice(start);
    const end = trimmed.indexOf('::', 2);
    if (trimmed.startsWith('::') && end >= 0) return [trimmed.slice(2, end).split(' ')[0]!];
    const prefix = line.indexOf('##[');
    const bracket = line.indexOf(']', prefix);
    return prefix >= 0 && bracket >= 0 ? [line.slice(prefix + 3, bracket).split(' ')[0]!] : [];
  });
}

const pieces = ['::', '::set-output name=a::', ':', '##[', '##[add-path]', '#', '[', ']', '/bin', '\u200b', '\ufeff'];
const hostile = fc
  .array(fc.constantFrom(...pieces, ...WHITE_SPACE, '\r\n', 'x'), { maxLength: 30 })
  .map((parts) => parts.join(''));

describe('what strangers print', () => {
  it.each([
    ['::error::x', ': :error::x'],
    ['one\n \t::set-env name=A::b', 'one\n \t: :set-env name=A::b'],
    ['one\r::error::x', 'one\r: :error::x'],
    ['\u0085\u00a0\u3000::error::x', '\u0085\u00a0\u3000: :error::x'],
    ['\ufeff::error::x', '\ufeff: :error::x'],
    ['\u001b::error::x', '\u001b: :error::x'],
    ['level=info ##[add-path]/tmp/evil', 'level=info ## [add-path]/tmp/evil'],
    ['###[group]##[endgroup]', '### [group]## [endgroup]'],
  ])('%j is no command any more', (text, expected) => {
    expect(withoutCommands(text)).toBe(expected);
  });

  it.each(['a::b::c', 'std::vector<int>', 'http://[::1]:80', '## [1.0.0]', '#[derive]', ' : :', ''])(
    '%j stays as it is',
    (text) => {
      expect(withoutCommands(text)).toBe(text);
    },
  );

  it('holds no command, whatever it is made of', () => {
    // The log goes on with ours: nothing of theirs may take it along.
    fc.assert(
      fc.property(hostile, (text) => {
        expect(commandsIn(`${withoutCommands(text)}\n::endgroup::\n`)).toEqual(['endgroup']);
      }),
      { numRuns: 2000 },
    );
  });

  it('is changed in no other place than within a command, by one space', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(withoutOurSpaces(withoutCommands(text), text)).toBe(text);
      }),
    );
  });

  it('is read in the time that its length takes', () => {
    const text = `${' '.repeat(300_000)}${'\n'.repeat(300_000)}${'\u2028'.repeat(300_000)}`;
    expect(withoutCommands(text)).toBe(text);
  }, 5_000);
});

/** A log without the spaces that the original lacks, where they part `::` or `##[`. */
function withoutOurSpaces(log: string, original: string): string {
  let kept = '';
  for (const [index, unit] of log.split('').entries()) {
    const [before, after] = [log.slice(0, index), log[index + 1]];
    const parts = (before.endsWith(':') && after === ':') || (before.endsWith('##') && after === '[');
    if (unit !== ' ' || !parts || original[kept.length] === ' ') kept += unit;
  }
  return kept;
}

describe('a command of ours', () => {
  it('holds what others wrote as data', () => {
    expect(workflowCommand('warning', '100 %\r\n::error::x')).toBe('::warning::100 %25%0D%0A::error::x');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(commandsIn(workflowCommand('group', text))).toEqual(['group']);
      }),
    );
  });
});
