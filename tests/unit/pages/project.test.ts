import { describe, expect, it } from 'vitest';
import { readProject } from '../../../src/core/pages/project.ts';
import { noSettings } from '../../../src/core/pages/settings.ts';
import { mostBytesOf } from '../../../src/core/pages/template-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (files: Record<string, string | Uint8Array | null>) =>
  readProject(
    new Map(
      Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? bytes(content) : content]),
    ),
  );
const said = (files: Record<string, string | Uint8Array | null>) =>
  read(files).diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);

describe("a project's own files", () => {
  it('are title, text, logo and pages, each by itself', () => {
    const svg = '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    const { project, diagnostics } = read({
      'site.yml': 'title: Acme\n',
      'introduction.md': 'Hello.',
      'logo.svg': svg,
      'pages/method.md': '# How we measure\n\nTwice.',
      'pages/about-us.md': 'Nobody.',
      'BENCHMARK.md': 'of others',
    });
    expect(diagnostics).toEqual([]);
    expect(project).toEqual({
      settings: { ...noSettings, title: 'Acme' },
      logo: { name: 'logo.svg', content: bytes(svg) },
      introduction: '<p>Hello.</p>\n',
      pages: [
        { name: 'about-us', title: 'about-us', html: '<p>Nobody.</p>\n' },
        { name: 'method', title: 'How we measure', html: '<h2>How we measure</h2>\n<p>Twice.</p>\n' },
      ],
    });
  });

  it('need not be there', () => {
    const project = { settings: noSettings, logo: null, introduction: '', pages: [] };
    expect(read({})).toEqual({ project, diagnostics: [] });
  });

  it.each([
    ['logo.png', bytes('\u0089PNG')],
    ['logo.png', '<svg onload="alert(1)"/>'],
    ['logo.svg', '<!doctype html><html><script>alert(1)</script><svg>'],
    ['logo.svg', '<p><svg/></p>'],
    ['logo.webp', 'RIFF1234WAVE'],
  ])('hold no logo that is another kind of file than %s', (name, content) => {
    expect(read({ [name]: content }).project.logo).toBeNull();
    expect(said({ [name]: content })).toEqual([
      `.wrkbench/templates/${name}:1:1: the file is no ${name.slice(5).toUpperCase()} picture, so it is not used`,
    ]);
  });

  it('hold a PNG or a WebP as a logo', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);
    expect(read({ 'logo.png': png }).project.logo).toEqual({ name: 'logo.png', content: png });
    const webp = bytes('RIFF1234WEBPVP8 ');
    expect(read({ 'logo.webp': webp }).project.logo).toEqual({ name: 'logo.webp', content: webp });
  });

  it('are told of where they cannot be used', () => {
    expect(
      said({
        'site.yaml': 'title: x',
        'logo.gif': 'GIF89a',
        'pages/Über uns.md': 'x',
        'introduction.md': Uint8Array.of(0xff, 0xfe, 0x41),
        'pages/long.md': null,
        'site.yml': 'title: [',
      }),
    ).toEqual([
      '.wrkbench/templates/logo.gif:1:1: the file is not used: a logo is logo.svg, logo.png or logo.webp',
      '.wrkbench/templates/pages/long.md:1:1: the file is longer than 64 KiB, so it is not used: shorten it',
      '.wrkbench/templates/pages/Über uns.md:1:1: the file is not used: a page is pages/NAME.md, NAME being lower-case letters, digits and inner -',
      '.wrkbench/templates/site.yaml:1:1: the file is not used: call it site.yml',
      expect.stringMatching(/^\.wrkbench\/templates\/site\.yml:1:\d+: not valid YAML/),
      '.wrkbench/templates/introduction.md:1:1: the file is not UTF-8 text, so it is not used: save it as UTF-8',
    ]);
    expect(said({ 'logo.svg': '<svg/>', 'logo.png': 'x' })).toEqual([
      '.wrkbench/templates/logo.svg:1:1: there is more than one logo, and logo.png is used: remove the others',
      '.wrkbench/templates/logo.png:1:1: the file is no PNG picture, so it is not used',
    ]);
  });

  it('have no page at the address of the list of specs', () => {
    const files = { 'pages/index.md': '# Ours', 'pages/index-2.md': '# More' };
    expect(read(files).project.pages.map(({ name }) => name)).toEqual(['index-2']);
    expect(said(files)).toEqual([
      '.wrkbench/templates/pages/index.md:1:1: the file is not used: index.html is the list of specs, so give the page another name',
    ]);
  });

  it('are as many and as long as they may be', () => {
    const names = Array.from({ length: 22 }, (_, index) => `pages/p${String(index).padStart(2, '0')}.md`);
    const { project, diagnostics } = read(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(project.pages).toHaveLength(20);
    expect(diagnostics.map(({ file }) => file)).toEqual([
      '.wrkbench/templates/pages/p20.md',
      '.wrkbench/templates/pages/p21.md',
    ]);
    expect(
      ['site.yml', 'introduction.md', 'logo.svg', 'pages/a.md', 'pages/_a.md', 'pages/a/b.md', '../site.yml', 'x'].map(
        mostBytesOf,
      ),
    ).toEqual([16_384, 65_536, 262_144, 65_536, null, null, null, null]);
  });
});
