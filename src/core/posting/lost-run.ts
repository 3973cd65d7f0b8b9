import { shortened, visibleLines } from '../format/text.ts';
import { clippedLine } from '../report/comparison/clipped-text.ts';
import { decidingLine, inRepository, isExplained, reasonInShort } from '../report/comparison/deciding-line.ts';
import { type Block, type Inline, withCode } from '../report/document.ts';
import { blockMarkdown } from '../report/markdown/blocks.ts';
import { introductionWithoutRun } from './introduction.ts';
import { headlineMarkdown } from './run-text.ts';
import type { FailOn } from './verdict.ts';

/** Of a spec that was to be measured and of which there is no run, `why` being a sentence, with what a program printed under it. */
export interface LostRun {
  specName: string;
  why: string;
}

/** `Not measured: ` and why: the mistake of a spec with its place, `api does not build: ` and the compiler's error. */
export function lostHeadline(why: string): Inline {
  const said = why.trim();
  return withCode(`Not measured: ${isExplained(said) ? reasonInShort(said) : decidingLine(said)}`);
}

/** Markdown: its first line, and what stands under it. */
export function lostMarkdown({ specName, why }: LostRun, fail: FailOn, event = ''): { headline: string; body: string } {
  const lines = visibleLines(inRepository(why.trim().slice(0, MOST_CHARACTERS)));
  const printed: Block[] =
    lines.length < 2
      ? []
      : [
          {
            kind: 'code',
            language: '',
            text: [clippedLine(lines[0]!, 400), ...lines.slice(1).slice(-MOST_LINES).map(clipped)].join('\n'),
          },
        ];
  const blocks: Block[] = [{ kind: 'paragraph', text: introductionWithoutRun(specName, fail, event) }, ...printed];
  return {
    headline: headlineMarkdown({ mark: 'invalid', headline: lostHeadline(why) }),
    body: blocks.map(blockMarkdown).join('\n\n'),
  };
}

const MOST_CHARACTERS = 20_000;
const MOST_LINES = 15;
const clipped = (line: string) => shortened(line.slice(0, 800), 200);
