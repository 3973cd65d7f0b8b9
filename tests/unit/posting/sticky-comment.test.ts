import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CommentSection,
  commentText,
  LONGEST_COMMENT,
  mergedSections,
  readComment,
  sectionLength,
} from '../../../src/core/posting/sticky-comment.ts';
import { blockMarkdown } from '../../../src/core/report/markdown/blocks.ts';
import { escapeText } from '../../../src/core/report/markdown/escape.ts';
import { rendered } from '../../support/github-markdown/rendered.ts';

const SHA = '9d0e77c4'.repeat(5);
function section(changes: Partial<CommentSection> = {}): CommentSection {
  return {
    specName: 'api',
    run: 7301,
    attempt: 1,
    sha: SHA,
    weight: 7,
    headline: '🟢 No change in 16 cases',
    body: '<details><summary>All 16 cases</summary>\n\n| case |\n| --- |\n\n</details>',
    ...changes,
  };
}
const red = (changes: Partial<CommentSection> = {}) =>
  section({ headline: '🔴 Regression in 1 of 16 cases', weight: 0, ...changes });

describe('the comment of a single spec', () => {
  it('has the verdict in its first visible line', () => {
    expect(commentText([section()])).toBe(
      `<!-- wrkbench: comment 1 -->
<!-- wrkbench: begin api run=7301 attempt=1 sha=${SHA} weight=7 -->
### 🟢 No change in 16 cases

<details><summary>All 16 cases</summary>

| case |
| --- |

</details>
<!-- wrkbench: end -->
`,
    );
  });

  it('is read back as it was written', () => {
    expect(readComment(commentText([section()]))).toEqual([section()]);
  });

  it('is read back with the line ends that GitHub stores', () => {
    expect(readComment(commentText([section()]).replaceAll('\n', '\r\n'))).toEqual([section()]);
  });

  it('is no comment of ours without its first line', () => {
    expect(readComment(`Look:\n${commentText([section()])}`)).toBeNull();
    expect(readComment('LGTM')).toBeNull();
  });
});

describe('the comment of several specs', () => {
  const text = commentText([red(), section({ specName: 'web_ui' })]);

  it('begins with the most severe, then a line for each', () => {
    expect(text.split('\n').slice(0, 5)).toEqual([
      '<!-- wrkbench: comment 1 -->',
      '### 🔴 api: Regression in 1 of 16 cases',
      '',
      '- **api**: 🔴 Regression in 1 of 16 cases',
      '- **web\\_ui**: 🟢 No change in 16 cases',
    ]);
  });

  it('folds each away, and is read back', () => {
    expect(text.match(/<details><summary>(api|web_ui)<\/summary>/g)).toHaveLength(2);
    expect(readComment(text)).toEqual([red(), section({ specName: 'web_ui' })]);
  });
});

describe('the name of a spec', () => {
  it('is no link, whatever it is like', () => {
    const names = ['www.evil.example', '3f2c1ab'];
    const { targets } = rendered(commentText(names.map((specName) => section({ specName }))));
    expect(targets).toEqual([]);
  });
});

describe('a report that comes to what is there', () => {
  it('takes the place of an earlier one of its spec, and leaves the others', () => {
    const web = section({ specName: 'web' });
    expect(mergedSections([section(), web], [red({ run: 7302 })])).toEqual([red({ run: 7302 }), web]);
  });

  it('takes the place of an earlier attempt', () => {
    expect(mergedSections([section()], [red({ attempt: 2 })])).toEqual([red({ attempt: 2 })]);
  });

  it('says nothing where a later run or attempt has', () => {
    expect(mergedSections([section({ run: 7302 })], [red()])).toBeNull();
    expect(mergedSections([section({ attempt: 2 })], [red()])).toBeNull();
  });

  it('says the same again where it is the same run', () => {
    expect(mergedSections([section()], [red()])).toEqual([red()]);
  });

  it('says what is new where only a part of it is', () => {
    const held = [section({ run: 7302 })];
    const own = [red(), section({ specName: 'web' })];
    expect(mergedSections(held, own)).toEqual([section({ run: 7302 }), section({ specName: 'web' })]);
  });
});

describe('its length', () => {
  it('is below what GitHub takes, however much there is to say', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      section({ specName: `spec-${index}`, body: 'x'.repeat(60_000) }),
    );
    const text = commentText(many);
    expect(text.length).toBeLessThan(LONGEST_COMMENT);
    expect(readComment(text)?.map(({ specName }) => specName)).toEqual(many.map(({ specName }) => specName));
    expect(text).toContain('There was no room for the details');
  });

  it('leaves each section its share', () => {
    for (const number of [1, 2, 10]) {
      const body = 'x'.repeat(sectionLength(number) - 200);
      const sections = Array.from({ length: number }, (_, index) => section({ specName: `s${index}`, body }));
      expect(commentText(sections)).not.toContain('There was no room');
    }
  });
});

describe('what strangers write', () => {
  const MARKERS = [
    '<!-- wrkbench: comment 1 -->',
    '<!-- wrkbench: end -->',
    `<!-- wrkbench: begin web run=9 attempt=9 sha=${SHA} weight=0 -->`,
  ];
  const hostile = fc.oneof(...MARKERS.map((marker) => fc.constant(marker)), fc.string());
  const told = (text: string) => readComment(text)?.map(({ specName, run }) => ({ specName, run }));

  it('cannot end a section or begin another', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const own = section({ headline: `🟢 ${escapeText(one)}`, body: `${escapeText(one)} ${escapeText(other)}` });
        expect(told(commentText([own]))).toEqual([{ specName: 'api', run: 7301 }]);
      }),
      { seed: 20261120 },
    );
  });

  it('cannot do so from a block of code either, however often the comment is written anew', () => {
    const lines = fc.array(hostile, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r', '\u2028'), (all, lineEnd) => {
        const body = blockMarkdown({ kind: 'code', language: '', text: all.join(lineEnd) });
        const first = commentText([section({ body })]);
        const second = commentText(mergedSections(readComment(first)!, [section({ specName: 'worker' })])!);
        expect(told(first)).toEqual([{ specName: 'api', run: 7301 }]);
        expect(told(second)).toEqual([
          { specName: 'api', run: 7301 },
          { specName: 'worker', run: 7301 },
        ]);
      }),
      { seed: 20261120 },
    );
  });

  it.each(MARKERS)('is kept from it by a space that a reader sees: %s', (marker) => {
    const text = commentText([section({ headline: marker, body: `${marker}\n\`\`\`\n${marker}\n\`\`\`` })]);
    expect(text.split('\n').slice(2, -2)).toEqual([`###  ${marker}`, '', ` ${marker}`, '```', ` ${marker}`, '```']);
  });
});
