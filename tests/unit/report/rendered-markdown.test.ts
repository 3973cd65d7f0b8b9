import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contexts } from '../../support/github-markdown/contexts.ts';
import { hostileText } from '../../support/github-markdown/hostile-text.ts';
import { rendered } from '../../support/github-markdown/rendered.ts';

describe('the renderer that texts are held against', () => {
  it.each([
    ['\\_www.evil.example', 'paragraph(text link(text))'],
    ['(http://evil.example)', 'paragraph(text link(text) text)'],
    ['a@-b.example', 'paragraph(link(text))'],
    ['@octocat', 'paragraph(link(text))'],
    ['acme/api#1', 'paragraph(link(text))'],
    ['#1', 'paragraph(link(text))'],
    ['GH-1', 'paragraph(link(text))'],
    ['9d0e77c1a2b3c4d5e6f708192a3b4c5d3f2c1ab0', 'paragraph(link(code))'],
    ['> [!WARNING]\n> :-', 'blockquote(table(tableRow(tableCell(text))))'],
    ['> [!WARNING]\n> ==', 'blockquote(heading1(text))'],
    ['- # a', 'list(listItem(heading1(text)))'],
    ['- [ ] a', 'list(task(paragraph(text)))'],
    ['a <b>', 'paragraph(text html:<b>)'],
  ])('makes more than a text of %j', (markdown, shape) => {
    expect(rendered(markdown).shape).toBe(shape);
  });

  it('knows pictures by name and formulas', () => {
    expect(rendered(':tada: at 10:15:00, $x$').replaced).toEqual([':tada:', '$x$']);
  });
});

const NAMED = [
  '_www.evil.example',
  ...['*', '~', '(', '[', '__', '@', '"', "'", '|'].map((before) => `${before}www.evil.example`),
  'WWW.evil.example/x?y=z',
  ...['http', 'https', 'ftp', 'HTTP'].flatMap((scheme) => [`${scheme}://evil.example`, `_${scheme}://evil.example`]),
  'a@b.example a@-b.example a@.example _a@b.example_ mailto:a@b.example xmpp:a@b.example/x',
  '<http://evil.example> <a@b.example>',
  '@octocat (@acme/team) _@octocat a@octocat',
  '#1 acme/api#1 octocat#1 GH-1 gh-1 _GH-1 (#1)',
  '9d0e77c1a2b3c4d5e6f708192a3b4c5d3f2c1ab0',
  '3f2c1ab octocat@3f2c1ab acme/api@3f2c1ab 3f2c1ab...9d0e77c (3f2c1ab) 20261120-092802-0a1b2c 1234567',
  ':tada: :+1: :a_b: ::: :100:',
  '[^1] [^1]: x',
  '[x]: http://evil.example',
  '[a](http://evil.example) ![a](http://evil.example/x.png) [a][b] [[a]]',
  '[ ] a',
  '[x] a',
  '- [ ] a',
  '<b>x</b> <!-- x --> <img src=x onerror=alert(1)> </details></summary> <script>',
  '&#64;octocat &amp; &lt; &copy; &#x40;octocat',
  'a | b',
  '|',
  '\\|',
  '\\\\|',
  '| a | b |',
  '$x$ $$x$$ $`x`$ 5 $ and 6 $',
  '```math',
  '``` `` ` ````',
  '`',
  '`a',
  'a`',
  '~~~',
  '~~a~~ ~a~',
  ...['#', '######', '#######', '##x', '# a #', 'a ##', 'a # ', 'a # # ', '\\#'],
  ...['-', '- a', '+ a', '* a', '1. a', '1) a', '123456789. a', '1.', '10)'],
  ...['> a', '>', '---', '***', '___', '- - -', '=', '==', '===', '--', ':-', ':-:', '-:', ':-|-:', '|-'],
  '    a',
  '\ta',
  '  \n\n    a\n\n# b\n- c\n',
  'a  \nb',
  'a\\',
  'a\\\nb',
  '\\',
  '\\\\',
  '!',
  'a!',
  '![',
  '*a* _b_ **c** __d__ a*b*c a_b_c',
  '**',
  '*',
  '_',
  '{{x}} {% x %}',
  'http:',
  'www',
  'a-b -c',
  '\u202ewww.evil.example\u202c',
  'pay\u200bpal \u2028# a',
  ' a ',
  '-1.5 %',
  '3.2.1',
];

describe.each(contexts)('a text in $name', ({ markdown, seen }) => {
  const usual = rendered(markdown('x'));

  function expectOnlyShown(text: string): void {
    const { shape, text: shown, targets, replaced } = rendered(markdown(text));
    expect({ shape, targets, replaced }).toEqual({ shape: usual.shape, targets: usual.targets, replaced: [] });
    const expected = seen(text);
    if (expected !== null) expect(shown).toBe(expected);
  }

  it.each(NAMED)('is only shown: %j', expectOnlyShown);

  it('is only shown, whatever it is', () => {
    fc.assert(fc.property(hostileText, expectOnlyShown), { seed: 20261122, numRuns: 300 });
  });
});
