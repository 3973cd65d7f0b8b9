import type { Diagnostic } from '../config/diagnostics.ts';
import { SourceText } from '../config/source.ts';
import { writtenText } from './markdown.ts';
import { noSettings, readSettings, type Settings } from './settings.ts';
import {
  LIST_PAGE,
  LOGO_FILE,
  MOST_PAGES,
  mostBytesOf,
  PAGE_FILE,
  TEMPLATES_FOLDER,
  type TemplateFiles,
} from './template-files.ts';

/** What a project says of itself on its pages. */
export interface Project {
  settings: Settings;
  logo: { name: string; content: Uint8Array } | null;
  /** HTML; '' where there is none. */
  introduction: string;
  /** In the order of their names. */
  pages: readonly { name: string; title: string; html: string }[];
}

/**
 * What can be used of a project's files, by their paths below the folder, and every mistake in them; never throws. What is wrong is left
 * out, and ours stands in its place.
 */
export function readProject(files: TemplateFiles): { project: Project; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const wrong = (path: string, message: string) => void diagnostics.push(aboutFile(path, message));
  const paths = [...files.keys()].sort();
  for (const path of paths) {
    const most = mostBytesOf(path);
    if (most === null) {
      const advice = misnamed(path);
      if (advice !== null) wrong(path, advice);
    } else if (files.get(path) === null) {
      wrong(path, `the file is longer than ${most / 1024} KiB, so it is not used: shorten it`);
    }
  }
  const textOf = (path: string): string | null => {
    const content = files.get(path);
    if (content == null) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(content);
    } catch {
      wrong(path, 'the file is not UTF-8 text, so it is not used: save it as UTF-8');
      return null;
    }
  };
  const written = textOf('site.yml');
  const read = written === null ? null : readSettings(written, `${TEMPLATES_FOLDER}/site.yml`);
  diagnostics.push(...(read?.diagnostics ?? []));
  const introduction = textOf('introduction.md');
  const isList = (path: string) => PAGE_FILE.exec(path)?.[1] === LIST_PAGE;
  for (const path of paths.filter(isList)) {
    wrong(path, `the file is not used: ${LIST_PAGE}.html is the list of specs, so give the page another name`);
  }
  const named = paths.filter((path) => PAGE_FILE.test(path) && !isList(path) && files.get(path) !== null);
  for (const path of named.slice(MOST_PAGES))
    wrong(path, `there are more than ${MOST_PAGES} pages: this one is left out`);
  const pages = named.slice(0, MOST_PAGES).flatMap((path) => {
    const name = PAGE_FILE.exec(path)![1]!;
    const text = textOf(path);
    if (text === null) return [];
    const { html, heading } = writtenText(text);
    return [{ name, title: heading ?? name, html }];
  });
  return {
    project: {
      settings: read?.settings ?? noSettings,
      logo: logoOf(files, paths, wrong),
      introduction: introduction === null ? '' : writtenText(introduction).html,
      pages,
    },
    diagnostics,
  };
}

function logoOf(
  files: TemplateFiles,
  paths: readonly string[],
  wrong: (path: string, message: string) => void,
): Project['logo'] {
  const [first, ...others] = paths.filter((path) => LOGO_FILE.test(path));
  for (const path of others) wrong(path, `there is more than one logo, and ${first} is used: remove the others`);
  const content = first === undefined ? null : files.get(first);
  if (first === undefined || content == null) return null;
  const kind = LOGO_FILE.exec(first)![1]!;
  if (isPicture(content, kind)) return { name: first, content };
  wrong(first, `the file is no ${kind.toUpperCase()} picture, so it is not used`);
  return null;
}

const bytesOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const BEGINNINGS: Record<string, readonly (number | null)[]> = {
  png: [0x89, ...bytesOf('PNG\r\n'), 0x1a, 0x0a],
  webp: [...bytesOf('RIFF'), null, null, null, null, ...bytesOf('WEBP')],
};

/** Servers go by the name of a file, so that it has to be what it is called. */
function isPicture(content: Uint8Array, kind: string): boolean {
  const beginning = BEGINNINGS[kind];
  if (beginning !== undefined) return beginning.every((byte, index) => byte === null || content[index] === byte);
  const text = new TextDecoder().decode(content.subarray(0, 4096));
  return /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE svg[^>[]*>\s*)?<svg[\s>]/.test(
    text,
  );
}

/** What to call a file that was likely meant for us; null for one that was not. */
function misnamed(path: string): string | null {
  if (path === 'site.yaml') return 'the file is not used: call it site.yml';
  if (/^logo\./.test(path)) return 'the file is not used: a logo is logo.svg, logo.png or logo.webp';
  if (path.startsWith('pages/'))
    return 'the file is not used: a page is pages/NAME.md, NAME being lower-case letters, digits and inner -';
  return null;
}

function aboutFile(path: string, message: string): Diagnostic {
  return new SourceText(`${TEMPLATES_FOLDER}/${path}`, '').diagnostic({ start: 0, end: 0 }, [], {
    code: 'unreadable',
    message,
  });
}
