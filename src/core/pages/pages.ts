import type { Diagnostic } from '../config/diagnostics.ts';
import type { RunRecord } from '../record/run-record.ts';
import { badgeFiles } from './badges.ts';
import { readProject } from './project.ts';
import { type Site, type SiteFile, siteFiles, staleFiles } from './site-files.ts';
import type { TemplateFiles } from './template-files.ts';

/** The static files of the data branch, of one wrkbench and one project. */
export interface Pages {
  /** Version of the wrkbench that makes them. */
  version: string;
  /** For a branch that holds these specs. */
  site(specs: readonly string[]): SiteFile[];
  /** Of those paths, the files that an earlier site had and this one has no more. */
  stale(paths: readonly string[], site: readonly SiteFile[]): string[];
  /** Of a run, `passed` being what it came to. `kept`: those of an earlier run, which one without figures leaves. */
  badges(record: RunRecord, passed: boolean | null, kept: readonly string[]): SiteFile[];
}

export interface PagesOptions {
  version: string;
  assets: Site['assets'];
  templates: TemplateFiles;
}

/**
 * What the programs load of this folder, in a bundle of its own: as data goes in and out, nothing of one bundle is compared with
 * another's classes. Mistakes of the project's own files are in `diagnostics`, and ours stand in for what is wrong.
 */
export function pagesOf({ version, assets, templates }: PagesOptions): { pages: Pages; diagnostics: Diagnostic[] } {
  const { project, diagnostics } = readProject(templates);
  return {
    pages: {
      version,
      site: (specs) => siteFiles({ version, specs, project, assets }),
      stale: staleFiles,
      badges: badgeFiles,
    },
    diagnostics,
  };
}
