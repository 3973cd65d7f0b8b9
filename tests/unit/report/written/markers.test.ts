import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadMarker, type Part, readParts } from '../../../../src/core/report/written/markers.ts';

const kinds = (text: string) => readParts(text).map(({ kind }) => kind);

/** Of a block what its markers say; what stood between them is not kept. */
function told(parts: Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return part.kind === 'block' ? part.begin + part.end : part.open + part.close;
    })
    .join('');
}

describe('the parts of a report', () => {
  it('are blocks with their options, and values with their words', () => {
    expect(
      readParts(
        'a\n<!--wrkbench:begin results only="a b" run=x heading -->\nb\n<!-- wrkbench:end -->\nc <!-- wrkbench:value\n  cpu -->8<!-- /wrkbench:value -->.\n',
      ),
    ).toEqual([
      { kind: 'text', text: 'a\n' },
      {
        kind: 'block',
        name: 'results',
        options: new Map([
          ['only', 'a b'],
          ['run', 'x'],
          ['heading', null],
        ]),
        line: 2,
        begin: '<!--wrkbench:begin results only="a b" run=x heading -->\n',
        end: '<!-- wrkbench:end -->\n',
      },
      { kind: 'text', text: 'c ' },
      {
        kind: 'value',
        words: ['cpu'],
        line: 5,
        open: '<!-- wrkbench:value\n  cpu -->',
        close: '<!-- /wrkbench:value -->',
      },
      { kind: 'text', text: '.\n' },
    ]);
  });

  it.each([
    ['```\n<!-- wrkbench:begin x -->\n```\n'],
    ['~~~ md\n<!-- wrkbench:begin x -->\n```\n~~~\n'],
    ['````\n```\n<!-- wrkbench:end -->\n````\n'],
    ['- a\n  ```\n  <!-- wrkbench:end -->\n  ```\n'],
    ['> ```\n> <!-- wrkbench:end -->\n> ```\n'],
    ['`<!-- wrkbench:value cpu -->` and ``<!-- wrkbench:nonsense ` -->``\n'],
    ['<!-- a comment about wrkbench:begin results -->\n'],
    ['<!-- of several\n\nparagraphs -->\n'],
    [''],
  ])('are text in code and in other comments: %j', (text) => {
    expect(told(readParts(text))).toBe(text);
    expect(kinds(text)).toEqual(text === '' ? [] : ['text']);
  });

  it.each([
    ['a ` b <!-- wrkbench:value cpu -->x<!-- /wrkbench:value -->'],
    ['``a` <!-- wrkbench:value cpu -->x<!-- /wrkbench:value -->'],
    ['```a` <!-- wrkbench:value cpu -->x<!-- /wrkbench:value --> not a fence'],
  ])('are found behind backticks that begin no code: %j', (text) => {
    expect(kinds(text)).toContain('value');
  });

  it('say the text again, whatever it is, or a sentence', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<!-- wrkbench:begin results -->',
        '<!-- wrkbench:begin results only="x" -->',
        '<!-- wrkbench:end -->',
        '<!-- wrkbench:value cpu -->',
        '<!-- /wrkbench:value -->',
        '<!-- wrkbench:',
        '-->',
        '```',
        '`',
        '~~~',
        '\n',
        '\r\n',
        '\n\n',
        '    ',
        '> ',
      ),
      fc.string({ maxLength: 8 }),
    );
    let understood = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        try {
          const parts = readParts(text);
          if (parts.every(({ kind }) => kind !== 'block')) {
            const withValues = parts.map((part) =>
              part.kind === 'value' ? part.open : part.kind === 'text' ? part.text : '',
            );
            expect(text.startsWith(withValues[0] ?? '')).toBe(true);
          }
          for (const part of parts) if (part.kind === 'text') expect(text).toContain(part.text);
          if (parts.every(({ kind }) => kind === 'text')) expect(told(parts)).toBe(text);
          understood += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(BadMarker);
          expect((error as BadMarker).line).toBeGreaterThan(0);
        }
      }),
      { seed: 20261123, numRuns: 2000 },
    );
    expect(understood).toBeGreaterThan(200);
  });

  it('of a hostile text of a megabyte are read in one go', () => {
    for (const unit of ['`', '``a', '<!--', '<!-- wrkbench', '\n', '> ', '`\n']) {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(told(readParts(text))).toBe(text);
    }
  });
});
