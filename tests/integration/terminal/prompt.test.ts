// needs: nothing
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../src/core/detection/proposal.ts';
import { PromptInterrupted, promptOn } from '../../../src/entry/prompt.ts';

const PORT: Question = {
  key: 'port api',
  text: 'Which port\u001b[2J does it listen on?',
  proposed: '8080',
  mistake: (answer) => (/^\d+$/.test(answer) ? null : 'A TCP port is expected.'),
};

async function dialogue(typed: string): Promise<{ answer: string; shown: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const prompt = promptOn({ input, output });
  input.end(typed);
  const answer = await prompt.ask(PORT);
  prompt.close();
  return { answer, shown: String(output.read()) };
}

describe('a question on the terminal', () => {
  it('is answered by a line, after the reason of each one that cannot be taken', async () => {
    expect(await dialogue('many\n 9000 \n')).toEqual({
      answer: '9000',
      shown: 'Which port⟨U+001B⟩[2J does it listen on? [8080] A TCP port is expected. [8080] ',
    });
  });

  it.each([
    ['an empty line', '\n'],
    ['the end of the input', ''],
  ])('takes what is proposed for %s', async (_, typed) => {
    expect((await dialogue(typed)).answer).toBe('8080');
  });

  it('ends with Ctrl-C, and takes nothing for an answer', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const asked = promptOn({ input, output }).ask(PORT);
    input.write('\u0003');
    await expect(asked).rejects.toThrow(new PromptInterrupted('Interrupted: nothing is written.'));
  });
});
