import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCommands } from '../../../src/core/action/log-commands.ts';

/** As the runner reads a line: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs */
const isCommand = (line: string) => /^[\s\u0085]*::/.test(line) || line.includes('##[');

describe('a text for the log of a job', () => {
  it.each([
    ['::set-output name=verdict::same', ': :set-output name=verdict::same'],
    ['one\n \t::warning::two', 'one\n \t: :warning::two'],
    ['\u0085::warning::two', '\u0085: :warning::two'],
    ['served ##[set-output name=verdict]same', 'served # #[set-output name=verdict]same'],
    ['Foo::Bar is ## [x]', 'Foo::Bar is ## [x]'],
  ])('%j is written as %j', (text, written) => {
    expect(withoutCommands(text)).toBe(written);
  });

  it('holds no command, whatever it is made of', () => {
    const parts = fc.constantFrom(':', '#', '[', ' ', '\u0085', '\n', '\r', '\t', 'a', '##[', '::');
    fc.assert(
      fc.property(
        fc.array(parts),
        (text) =>
          !withoutCommands(text.join(''))
            .split(/\r\n|[\r\n]/)
            .some(isCommand),
      ),
    );
  });
});
