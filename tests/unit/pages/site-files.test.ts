import { describe, expect, it } from 'vitest';
import { type Project, readProject } from '../../../src/core/pages/project.ts';
import { type Site, siteFiles, staleFiles } from '../../../src/core/pages/site-files.ts';

const site = (changes: Partial<Site> = {}): Site => ({
  version: '1.2.3',
  specs: ['rest-api'],
  project: readProject(new Map()).project,
  assets: [
    { name: 'app.js', content: '1' },
    { name: 'pages.css', content: '2' },
  ],
  ...changes,
});
const filesOf = (given: Site) => new Map(siteFiles(given).map(({ path, content }) => [path, content]));

const own: Project = {
  settings: {
    title: 'Acme <API> & "co"',
    description: "</title><script>alert('x')</script>",
    colours: { light: { accent: '#0a6b4f' }, dark: {} },
  },
  logo: { name: 'logo.svg', content: new TextEncoder().encode('<svg onload="alert(1)"/>') },
  introduction: '<p>Hello.</p>\n',
  pages: [{ name: 'method', title: 'How <we> measure', html: '<h2>How</h2>\n' }],
};

describe('the static files of the pages', () => {
  it('are documents, assets and a style sheet of colours, none of which begins with _', () => {
    const paths = [...filesOf(site({ specs: ['web', 'rest-api'], project: own })).keys()];
    expect(paths).toEqual([
      'wrkbench/index.html',
      'wrkbench/method.html',
      'wrkbench/web/index.html',
      'wrkbench/rest-api/index.html',
      'wrkbench/assets/app.js',
      'wrkbench/assets/pages.css',
      'wrkbench/assets/project.css',
      'wrkbench/assets/logo.svg',
    ]);
    expect(paths.filter((path) => path.split('/').some((part) => part.startsWith('_')))).toEqual([]);
  });

  it('hold a list of all specs, without a script', async () => {
    await expect(filesOf(site({ specs: ['web', 'rest-api'] })).get('wrkbench/index.html')).toMatchFileSnapshot(
      '__snapshots__/index.html',
    );
  });

  it('hold a document for each spec', async () => {
    await expect(filesOf(site()).get('wrkbench/rest-api/index.html')).toMatchFileSnapshot('__snapshots__/spec.html');
  });

  it("hold a project's title, text, logo and pages, with nothing in them that acts", async () => {
    const files = filesOf(site({ project: own }));
    await expect(files.get('wrkbench/method.html')).toMatchFileSnapshot('__snapshots__/extra.html');
    expect(files.get('wrkbench/index.html')).toContain('<section class="prose">\n<p>Hello.</p>\n</section>');
    for (const path of ['wrkbench/index.html', 'wrkbench/method.html', 'wrkbench/rest-api/index.html']) {
      const html = String(files.get(path));
      expect(html.match(/<script/g)?.length ?? 0, path).toBe(path.includes('method') ? 0 : 1);
      expect(html, path).not.toMatch(/<svg|onload|<API>|<we>|style=/);
      expect(html, path).toContain('Acme &lt;API&gt; &amp; &quot;co&quot;');
    }
    expect(files.get('wrkbench/assets/project.css')).toContain('--accent: #0a6b4f;');
  });

  it('give way to a spec whose folder has the name of a document', () => {
    const files = filesOf(site({ specs: ['index.html', 'method.html', 'method'], project: own }));
    expect([...files.keys()].filter((path) => !path.startsWith('wrkbench/assets/'))).toEqual([
      'wrkbench/index.html/index.html',
      'wrkbench/method.html/index.html',
      'wrkbench/method/index.html',
    ]);
    expect(String(files.get('wrkbench/method/index.html'))).not.toContain('How &lt;we&gt; measure');
    const beside = filesOf(site({ specs: ['method'], project: own }));
    expect([...beside.keys()]).toEqual(expect.arrayContaining(['wrkbench/method.html', 'wrkbench/method/index.html']));
  });

  it('replace those of an earlier wrkbench, and touch nothing else', () => {
    const files = siteFiles(site());
    const there = [
      'wrkbench/index.html',
      'wrkbench/method.html',
      'wrkbench/assets/app.js',
      'wrkbench/assets/chunk-OLD.js',
      'wrkbench/assets/logo.png',
      // Of a spec that is called like a folder of ours.
      'wrkbench/assets/index.html',
      'wrkbench/assets/manifest.json',
      'wrkbench/assets/runs/2026-11/20261120-092802-0a1b2c.no-commit.json',
      'wrkbench/rest-api/manifest.json',
      'wrkbench/rest-api/index.html',
    ];
    expect(staleFiles(there, files)).toEqual([
      'wrkbench/method.html',
      'wrkbench/assets/chunk-OLD.js',
      'wrkbench/assets/logo.png',
    ]);
  });
});
