import type { Random } from '../../src/core/statistics/random.ts';
import { contexts } from '../../tests/support/github-markdown/contexts.ts';
import { PIECES } from '../../tests/support/github-markdown/pieces.ts';
import { rendered } from '../../tests/support/github-markdown/rendered.ts';
import type { Kind } from './kind.ts';
import { fragment, oneOf } from './mutation.ts';

const usual = contexts.map(({ markdown }) => rendered(markdown('x')).shape);

function pieceOf(random: Random): string {
  return random.below(5) === 0 ? fragment(['x', 'go', ' '], random) : oneOf(PIECES, random);
}

/** A text in one place of our Markdown, which its first letter names, as the real renderer makes it. */
export function markdownKind(): Kind {
  return {
    name: 'markdown',
    share: 25,
    input: (random) => {
      const place = String.fromCharCode(0x41 + random.below(contexts.length));
      const times = random.below(400) === 0 ? 500 : 1;
      const text = Array.from({ length: 1 + random.below(12) }, () => pieceOf(random)).join('');
      return place + (times === 1 ? text : oneOf([text, ...text], random).repeat(times));
    },
    read: (input) => {
      const index = input.charCodeAt(0) - 0x41;
      const { markdown, seen, name } = contexts[index]!;
      const text = input.slice(1);
      if (text.trim() === '') return false;
      const made = markdown(text);
      // What others make of it takes its own time: up to seconds.
      return () => {
        const { shape, text: shown, targets, replaced } = rendered(made);
        if (shape !== usual[index]) throw new Error(`${name} becomes ${shape.slice(0, 300)}`);
        if (targets.join() !== rendered(markdown('x')).targets.join())
          throw new Error(`${name} links to ${targets.join(', ')}`);
        if (replaced.length > 0) throw new Error(`${name} shows ${replaced.join(', ')} as something else`);
        const expected = seen(text);
        if (expected !== null && shown !== expected)
          throw new Error(`${name} reads ${JSON.stringify(shown.slice(0, 300))}`);
        return true;
      };
    },
  };
}
