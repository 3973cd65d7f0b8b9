import type { Pages } from '../core/pages/pages.ts';
import { specNames } from '../core/publication/spec-files.ts';
import type { PagesSource } from './site-change.ts';

/** The static files of the branch: documents for all specs that it holds, and badges of a run that is the newest of its spec. */
export function siteSource(pages: Pages): Pick<PagesSource, 'site' | 'stale'> {
  return {
    site({ paths, run, newest, becomesNewest }) {
      const site = pages.site(specNames(paths));
      // One that is published late does not speak for the newest.
      const isAdded = run !== null && newest === run.place.id;
      const shown = isAdded ? run : becomesNewest;
      if (shown === null) return site;
      // What stands there after a run was hidden may be of that run.
      const kept = isAdded ? paths.filter((path) => path.includes('/badges/')) : [];
      return [...site, ...pages.badges(shown.record, shown.record.published?.passed ?? null, kept)];
    },
    stale: (paths, site) => pages.stale(paths, site),
  };
}
