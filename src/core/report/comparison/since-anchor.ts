import { anchorName } from '../../baseline/anchor-name.ts';
import type { AnchorComparison, MetricComparison, SinceAnchor } from '../../comparison/comparison.ts';
import { sinceOf } from '../../comparison/since-anchor.ts';
import { counted } from '../../format/figures.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Block, Inline } from '../document.ts';
import { type CaseLabels, caseLabels } from './case-labels.ts';
import { changeFigure } from './change-figures.ts';
import { clippedText } from './clipped-text.ts';
import { caseFindings, type Finding } from './findings.ts';
import { changePhrase, shortName } from './metric-words.ts';

const MOST_ACCEPTED = 5;
const MOST_CREPT = 3;

/** Under the line of the anchor: what of it was accepted, and what crept in. */
export function sinceAnchorBlocks(anchor: AnchorComparison, record: RunRecord): Block[] {
  const accepted = acceptedSince(anchor, record);
  const crept = creptIn(anchor, record);
  const more = accepted.length > MOST_ACCEPTED ? [`… and ${accepted.length - MOST_ACCEPTED} more.`] : [];
  return [
    ...(accepted.length === 0
      ? []
      : [{ kind: 'list' as const, items: [...accepted.slice(0, MOST_ACCEPTED), ...more] }]),
    ...(crept === null ? [] : [{ kind: 'paragraph' as const, text: crept }]),
  ];
}

/** `api · /items`, CPU: of +12 % since v1.0, +8 % was accepted (3 runs) */
function acceptedSince(anchor: AnchorComparison, record: RunRecord): Inline[] {
  const name = nameOf(record);
  const labels = caseLabels(anchor, record);
  return found(anchor).flatMap(({ finding, since }): Inline[] => {
    if (since.runs === 0) return [];
    const { metric, compared } = finding;
    const of = `of ${changeFigure(metric, compared)} since ${name}`;
    const said = `${of}, ${acceptedFigure(metric, compared, since)}accepted (${counted(since.runs, 'run')})`;
    return [[{ code: labelOf(finding, labels) }, `, ${shortName(metric)}: ${said}`]];
  });
}

/** **Crept in since v1.0**, though no run was red: `api · /items` costs 12 % more CPU per request. Null where nothing did. */
export function creptIn(anchor: AnchorComparison, record: RunRecord): Inline | null {
  const labels = caseLabels(anchor, record);
  const crept = found(anchor).filter(({ since }) => since.crept);
  if (crept.length === 0) return null;
  const said = crept
    .slice(0, MOST_CREPT)
    .flatMap(({ finding }, index): Inline[] => [
      index === 0 ? '' : '; ',
      { code: labelOf(finding, labels) },
      ` ${changePhrase(finding.metric, finding.compared)}`,
    ]);
  const more = crept.length > MOST_CREPT ? `; and ${crept.length - MOST_CREPT} more` : '';
  return [{ strong: `Crept in since ${nameOf(record)}` }, ', though no run was red: ', ...said, more];
}

/** What got worse since, and of which earlier runs tell something. */
function found(anchor: AnchorComparison): { finding: Finding; since: SinceAnchor }[] {
  return caseFindings(anchor)
    .flatMap(({ findings }) => findings)
    .flatMap((finding) => {
      const since = finding.kind === 'improvement' ? null : sinceOf(anchor, finding.key, finding.metric);
      return since === null ? [] : [{ finding, since }];
    });
}

function labelOf({ key, level }: Finding, labels: CaseLabels): string {
  return level === 'case' ? labels.of(key) : labels.short(key);
}

/** `+8 % was `; empty where it is no part of anything, as from nothing. */
function acceptedFigure(metric: string, compared: MetricComparison, { accepted }: SinceAnchor): string {
  const { baseline, change } = compared;
  if (change === null || baseline === null) return '';
  return `${changeFigure(metric, { ...compared, change: accepted, difference: baseline * accepted })} was `;
}

function nameOf(record: RunRecord): string {
  return clippedText(anchorName(record) ?? 'the anchor', 60);
}
