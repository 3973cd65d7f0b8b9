import type { RunRecord } from '../../record/run-record.ts';
import type { Contest } from '../analysis/contest.ts';
import type { Inline, Section } from '../document.ts';
import { counts } from '../sections/counts.ts';
import { environment } from '../sections/environment.ts';
import { reportDocument } from '../sections/index.ts';
import type { ReportView } from '../view.ts';
import { cpuSection, heatMapSection, percentileSection } from './cases.ts';
import { changesSection } from './changes.ts';

/** One run, as the page shows it. */
export interface RunPage {
  headline: Inline;
  /** What went wrong, and what it was compared with. */
  leading: Section[];
  heatMap: Section | null;
  /** Of the contest that was chosen. */
  ofContest: Section[];
  following: Section[];
  /** The rest of the report, folded. */
  folded: Section[];
}

/** Shown unfolded, or of files that are not beside a published run. */
const ELSEWHERE = ['environment', 'counts', 'raw', 'warnings', 'comparison'];

export function runPage(record: RunRecord, view: ReportView, contest: Contest | null, metric: string): RunPage {
  const report = reportDocument(record);
  const warnings = report.sections.filter(({ id }) => id === 'warnings');
  return {
    headline: report.headline,
    leading: [changesSection(record, view), ...warnings].flatMap((section) => section ?? []),
    heatMap: heatMapSection(view, metric),
    ofContest:
      contest === null ? [] : [percentileSection(contest), cpuSection(contest)].flatMap((section) => section ?? []),
    following: [counts(view), environment(view)].flatMap((section) => section ?? []),
    folded: report.sections.filter(({ id }) => !ELSEWHERE.includes(id)),
  };
}
