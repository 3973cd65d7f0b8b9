import { shortSha } from '../../baseline/commit.ts';
import type { Comparison, StoredChangePoint } from '../../comparison/comparison.ts';
import { counted } from '../../format/figures.ts';
import { signedPercent } from '../../format/percent.ts';
import type { CaseLabels } from './case-labels.ts';
import { clippedText } from './clipped-text.ts';
import type { EntryList } from './entries.ts';
import { shortName } from './metric-words.ts';

const MOST_SAID = 3;

/** A line for each stretch of commits after which the history went to another level; null where it never did. */
export function changePointList({ changePoints = [] }: Comparison, labels: CaseLabels): EntryList | null {
  if (changePoints.length === 0) return null;
  const stretches = [...new Set(changePoints.map(stretchOf))];
  return {
    title: 'Change points of the history, the newest first',
    mark: 'none',
    lines: stretches.map((stretch) =>
      lineOf(
        changePoints.filter((each) => stretchOf(each) === stretch),
        labels,
      ),
    ),
  };
}

/** `9d8e7f6..3f2c1ab (2026-11-03, 12 runs since): go · /ping: -11.8 % throughput, +13.2 % CPU; and 4 more cases` */
function lineOf(found: readonly StoredChangePoint[], labels: CaseLabels): string {
  const { before, after, runs } = found[0]!;
  const cases = [...new Set(found.map(({ key }) => key))];
  const said = cases.slice(0, MOST_SAID).map((key) => {
    const own = found.filter((each) => each.key === key);
    const changes = own.map(({ metric, change }) => `${signedPercent(change)} ${shortName(metric)}`);
    return `${labels.of(key)}: ${changes.join(', ')}`;
  });
  const more = cases.length > MOST_SAID ? [`and ${counted(cases.length - MOST_SAID, 'more case')}`] : [];
  const when = `${clippedText(after.startedAt.slice(0, 10), 10)}, ${counted(runs, 'run')} since`;
  return `${nameOf(before)}..${nameOf(after)} (${when}): ${[...said, ...more].join('; ')}`;
}

/** As git takes it, where the commit is known. */
function nameOf({ id, sha }: StoredChangePoint['before']): string {
  return sha === null ? clippedText(id, 40) : shortSha(sha);
}

function stretchOf({ before, after }: StoredChangePoint): string {
  return JSON.stringify([before.id, after.id]);
}
