import extraTemplate from '../../../templates/pages/extra.html';
import indexTemplate from '../../../templates/pages/index.html';
import specTemplate from '../../../templates/pages/spec.html';
import { filled } from '../format/template.ts';
import { DATA_FOLDER } from '../publication/place.ts';
import { escapeHtml } from '../report/html/escape.ts';
import { paletteCss } from './palette.ts';
import { PAGES_POLICY } from './policy.ts';
import type { Project } from './project.ts';

/** A file of the branch. */
export interface SiteFile {
  path: string;
  content: string | Uint8Array;
}

export interface Site {
  /** Of this wrkbench. */
  version: string;
  /** Names of all specs that the branch holds. */
  specs: readonly string[];
  project: Project;
  /** Scripts and style sheets as they were built, by their names. */
  assets: readonly { name: string; content: string }[];
}

/**
 * All static files of the published pages. None begins with `_`, which GitHub Pages would leave out. A spec may be called `about.html`,
 * and its folder holds its runs: a document of that name gives way to it.
 */
export function siteFiles(given: Site): SiteFile[] {
  const { specs, assets } = given;
  const folders = new Set(specs);
  const pages = given.project.pages.filter(({ name }) => !folders.has(`${name}.html`));
  const project = { ...given.project, pages };
  const site = { ...given, project };
  const { logo, settings } = project;
  const own = (path: string, content: string | Uint8Array) => ({ path: `${DATA_FOLDER}/${path}`, content });
  const files = [
    own('index.html', indexPage(site)),
    ...pages.map((page) => own(`${page.name}.html`, extraPage(page, site))),
    ...specs.map((spec) => own(`${spec}/index.html`, specPage(spec, site))),
    ...assets.map(({ name, content }) => own(`assets/${name}`, content)),
    own('assets/project.css', paletteCss(settings.colours)),
    ...(logo === null ? [] : [own(`assets/${logo.name}`, logo.content)]),
  ];
  return files.filter(({ path }) => !folders.has(path.slice(DATA_FOLDER.length + 1)));
}

/** Files of an earlier wrkbench, or of templates that are gone, that nothing names any more. */
export function staleFiles(paths: readonly string[], files: readonly SiteFile[]): string[] {
  const wanted = new Set(files.map(({ path }) => path));
  const ours = new RegExp(`^${DATA_FOLDER}/(?:assets/[^/]+\\.(?:js|css|svg|png|webp)|[^/]+\\.html)$`);
  return paths.filter((path) => ours.test(path) && !wanted.has(path));
}

function indexPage(site: Site): string {
  const { specs, project, version } = site;
  const items = [...specs].sort().map((spec) => {
    const name = escapeHtml(spec);
    return `<li data-spec="${name}"><a href="${name}/">${name}</a></li>`;
  });
  return filled(indexTemplate, {
    __POLICY__: PAGES_POLICY,
    __TITLE__: titleOf(project),
    __DESCRIPTION__: escapeHtml(project.settings.description ?? 'How fast each commit is, and what it costs.'),
    '<!-- __BRAND__ -->': brand(project, '', 'h1'),
    '<!-- __PAGES__ -->': pageLinks(site, ''),
    '<!-- __INTRODUCTION__ -->':
      project.introduction === '' ? '' : `<section class="prose">\n${project.introduction}</section>`,
    '<!-- __SPECS__ -->': items.join('\n'),
    __VERSION__: escapeHtml(version),
  });
}

function specPage(spec: string, site: Site): string {
  return filled(specTemplate, {
    __POLICY__: PAGES_POLICY,
    __SPEC__: escapeHtml(spec),
    __TITLE__: titleOf(site.project),
    '<!-- __BRAND__ -->': brand(site.project, '../', 'p'),
    '<!-- __PAGES__ -->': pageLinks(site, '../'),
    __VERSION__: escapeHtml(site.version),
  });
}

function extraPage({ title, html }: Project['pages'][number], site: Site): string {
  return filled(extraTemplate, {
    __POLICY__: PAGES_POLICY,
    __HEADING__: escapeHtml(title),
    __TITLE__: titleOf(site.project),
    '<!-- __BRAND__ -->': brand(site.project, '', 'h1'),
    '<!-- __PAGES__ -->': pageLinks(site, ''),
    '<!-- __TEXT__ -->': html,
    __VERSION__: escapeHtml(site.version),
  });
}

function titleOf({ settings }: Project): string {
  return escapeHtml(settings.title ?? 'Benchmarks');
}

/** Logo and title, which lead to the list of all specs. A picture in `img` runs no script, whatever it holds. */
function brand(project: Project, top: string, tag: 'h1' | 'p'): string {
  const { logo } = project;
  const picture = logo === null ? '' : `<img src="${top}assets/${logo.name}" alt="" height="32">`;
  const link = `<a href="${top === '' ? './' : top}">${picture}${titleOf(project)}</a>`;
  return `<${tag} class="brand">${link}</${tag}>`;
}

function pageLinks({ project: { pages } }: Site, top: string): string {
  if (pages.length === 0) return '';
  const links = pages.map(({ name, title }) => `<li><a href="${top}${name}.html">${escapeHtml(title)}</a></li>`);
  return `<nav aria-label="Pages">\n<ul>\n${links.join('\n')}\n</ul>\n</nav>`;
}
