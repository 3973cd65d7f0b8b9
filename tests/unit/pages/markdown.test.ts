import { describe, expect, it } from 'vitest';
import { writtenText } from '../../../src/core/pages/markdown.ts';

const html = (markdown: string) => writtenText(markdown).html;

describe("a project's Markdown", () => {
  it('becomes HTML, its headings below that of the page', () => {
    const text = [
      '# How we *measure*',
      '',
      'On **one** machine,  see [the spec](spec.html "x") or <https://example.org/?a=1&b=2>.',
      'Then `npm run bench`\\',
      'and ~~nothing~~ else.',
      '',
      '1. first',
      '2. second',
      '   - [x] done',
      '   - [ ] open',
      '',
      '> said',
      '',
      '| a | b |',
      '|---|--:|',
      '| `c` | 1 |',
      '',
      '```sh',
      'wrk  -t4 <url>',
      '```',
      '',
      '---',
    ].join('\n');
    expect(writtenText(text)).toEqual({
      heading: 'How we measure',
      html: `<h2>How we <em>measure</em></h2>
<p>On <strong>one</strong> machine, see <a href="spec.html">the spec</a> or <a href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a>. Then <code>npm run bench</code><br>and <del>nothing</del> else.</p>
<ol>
<li>first</li>
<li>second
<ul>
<li>☑ done</li>
<li>☐ open</li>
</ul></li>
</ol>
<blockquote>
<p>said</p>
</blockquote>
<div class="scroll" tabindex="0"><table>
<thead>
<tr><th>a</th><th class="right">b</th></tr>
</thead>
<tbody>
<tr><td><code>c</code></td><td class="right">1</td></tr>
</tbody>
</table></div>
<pre tabindex="0"><code>wrk  -t4 &lt;url&gt;
</code></pre>
<hr>
`,
    });
  });

  it('shows HTML as the text that it is', () => {
    expect(html('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>a &lt;img src=x onerror=alert(1)&gt; b</p>\n',
    );
    expect(html('<style>body{display:none}</style>')).toBe('<p>&lt;style&gt;body{display:none}&lt;/style&gt;</p>\n');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'java&#10;script:alert(1)',
    'java&Tab;script:alert(1)',
    '&#1;javascript:alert(1)',
    'vbscript:x',
    'data:text/html,\\<script\\>alert(1)\\</script\\>',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'file:///etc/passwd',
    '//evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    'blob:https://example.org/1',
  ])('leads nowhere by %s', (address) => {
    const given = `[text](<${address}>) ![picture](<${address}>) [again][x]\n\n[x]: <${address}>`;
    expect(html(given)).toBe('<p>text picture again</p>\n');
  });

  it('cannot end an attribute, nor add one', () => {
    expect(html('[a](https://e.example/"onmouseover="x) [b](<https://e.example/ onclick=x>)')).toBe(
      '<p><a href="https://e.example/&quot;onmouseover=&quot;x">a</a> b</p>\n',
    );
  });

  it('asks no other server for a picture: it becomes a link', () => {
    expect(html('![a <b>](https://e.example/a.png) [![in](https://e.example/b.png)](https://e.example/)')).toBe(
      '<p><a href="https://e.example/a.png">a &lt;b&gt;</a> <a href="https://e.example/">in</a></p>\n',
    );
  });

  it('shows what would act on the reading of a line', () => {
    expect(html('evil\u202egnp.exe')).toBe('<p>evil⟨U+202E⟩gnp.exe</p>\n');
  });

  it('is taken however deep it is nested', () => {
    const deep = `${'>'.repeat(300)} deep`;
    expect(html(deep)).toBe(`<pre tabindex="0">${'&gt;'.repeat(300)} deep</pre>\n`);
    expect(html('[a'.repeat(200))).toBe(`<p>${'[a'.repeat(200)}</p>\n`);
  });

  it('says what a note is beside its mark', () => {
    expect(html('Fast[^1].\n\n[^1]: On *our* machine.')).toBe(
      '<p>Fast<sup>[1]</sup>.</p>\n<div>[1] <p>On <em>our</em> machine.</p>\n</div>\n',
    );
  });
});
