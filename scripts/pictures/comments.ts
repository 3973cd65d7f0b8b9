import { posted } from '../../tests/support/posted.ts';
import { githubPage } from './github-page.ts';
import { eachWay, type Picture } from './picture.ts';
import { examples } from './verdicts.ts';

/** The comment and the summary of every verdict; those that documents show are kept. */
export async function pictures(): Promise<Picture[]> {
  const found: Picture[] = [];
  for (const [name, { judged, ...how }] of Object.entries(examples)) {
    const { comment, summary } = await posted(judged, how);
    found.push(
      ...eachWay(`comment-${name}`, githubPage(comment, 'comment'), ({ dark }) => !dark || name === 'regression'),
      ...eachWay(`summary-${name}`, githubPage(summary, 'summary'), ({ dark }) => !dark && KEPT_SUMMARIES.has(name)),
    );
  }
  return found;
}

const KEPT_SUMMARIES = new Set(['regression', 'build-failed', 'spec-mistake']);
