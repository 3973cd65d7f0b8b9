import { createInterface } from 'node:readline/promises';
import type { Question } from '../core/detection/proposal.ts';
import { visible } from '../core/format/text.ts';

export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Ctrl-C in place of an answer. */
export class PromptInterrupted extends Error {
  override name = 'PromptInterrupted';
}

export interface Prompt {
  /** Asks until the answer can be taken; an empty one is what is proposed, and so is the end of the input. */
  ask(question: Question): Promise<string>;
  close(): void;
}

export function promptOn({ input, output }: Terminal): Prompt {
  const terminal = createInterface({ input, output });
  // Lines that came before they were asked for are kept.
  const lines = terminal[Symbol.asyncIterator]();
  let isInterrupted = false;
  terminal.on('SIGINT', () => {
    isInterrupted = true;
    terminal.close();
  });
  const lineAfter = async (text: string): Promise<string | null> => {
    terminal.setPrompt(text);
    terminal.prompt();
    const { value, done } = await lines.next();
    if (isInterrupted) throw new PromptInterrupted('Interrupted: nothing is written.');
    return done === true ? null : String(value).trim();
  };
  return {
    async ask({ text, proposed, mistake }) {
      const suffix = ` [${visible(proposed)}] `;
      let prompt = visible(text) + suffix;
      for (;;) {
        const line = await lineAfter(prompt);
        if (line === null || line === '') return proposed;
        const why = mistake(line);
        if (why === null) return line;
        prompt = visible(why) + suffix;
      }
    },
    close: () => terminal.close(),
  };
}
