import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { absent } from '../../format/figures.ts';
import { type Inline, left, type Mark, type Row, right, type Table, withoutEmptyColumns } from '../document.ts';
import type { Tone } from '../pictures.ts';
import { bySeverity, type Outcome, outcomes, unchangedOf } from './by-verdict.ts';
import type { CaseLabels } from './case-labels.ts';
import { endpointGroups, judgedIn, metricOf } from './endpoint-groups.ts';
import { comparedCell } from './matrix.ts';
import { inReportOrder, shortName } from './metric-words.ts';
import { isWithoutChange } from './tally.ts';

/**
 * A row for each endpoint and each service as a whole, the most severe first: what was found of it, and of each metric that is judged
 * the figure that this goes by. Null where nothing was compared.
 */
export function endpointTable(comparison: Comparison, labels: CaseLabels): Table | null {
  const outcomeOf = outcomes(comparison);
  const judged = judgedIn(comparison).flatMap(({ metrics }) =>
    Object.keys(metrics).filter((name) => isJudged(metrics[name]!)),
  );
  const names = inReportOrder(judged);
  const { leftOut, beyond } = comparison.gate;
  const aside = new Set([...leftOut, ...beyond].map(({ caseKey }) => caseKey));
  const places = [
    ...endpointGroups(comparison).map(({ units, cases }) => {
      // An endpoint is judged on the rest.
      const rest = [...units, ...cases].filter(({ key }) => !aside.has(key));
      const parts = rest.length === 0 ? cases : rest;
      return { name: labels.short(cases[0]?.key ?? units[0]!.key), parts };
    }),
    ...comparison.services.map((each) => ({ name: labels.of(each.key), parts: [each] })),
  ];
  const rows = places
    .map(({ name, parts }) => ({ name, parts, outcome: outcomeOf(parts[0]!) }))
    .sort((one, other) => bySeverity(one.outcome, other.outcome))
    .map(({ name, parts, outcome }): Row => {
      const isUnjudged = outcome === 'unchanged' && !parts.some(isWithoutChange);
      const { mark, word, tone } = isUnjudged ? UNJUDGED : said[outcome];
      const figures = names.map((metric) => figureOf(parts, metric));
      return { tone, cells: [name, [{ mark }, ` ${word}`], ...figures], ...unchangedOf(outcome) };
    });
  if (rows.length === 0) return null;
  const columns = [left('Endpoint'), left('Result'), ...names.map((name) => right(capital(shortName(name))))];
  return withoutEmptyColumns(
    { label: 'Endpoints, candidate against baseline', columns, rows, wraps: true, stacks: true },
    absent,
  );
}

const said: Record<Outcome, { mark: Mark; word: string; tone: Tone }> = {
  regression: { mark: 'fail', word: 'worse', tone: 'worse' },
  invalid: { mark: 'invalid', word: 'invalid', tone: 'plain' },
  'not-measured': { mark: 'invalid', word: 'not measured', tone: 'plain' },
  undecided: { mark: 'undecided', word: 'undecided', tone: 'plain' },
  accepted: { mark: 'none', word: 'worse, accepted', tone: 'worse' },
  improvement: { mark: 'pass', word: 'better', tone: 'better' },
  new: { mark: 'none', word: 'new', tone: 'plain' },
  beyond: { mark: 'none', word: 'beyond the service', tone: 'plain' },
  'left-open': { mark: 'undecided', word: 'undecided', tone: 'plain' },
  unchanged: { mark: 'none', word: 'no change', tone: 'plain' },
};

/** Without change is what was judged. */
const UNJUDGED: (typeof said)[Outcome] = { mark: 'none', word: 'not judged', tone: 'plain' };

/** `Peak memory`; `p50` stays as it is. */
function capital(name: string): string {
  return /^p\d/.test(name) ? name : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function isJudged({ verdict, brokenLimit }: MetricComparison): boolean {
  return verdict !== null || brokenLimit !== null;
}

/** Of the endpoint as a whole, or of the case that it is judged by; of several the most severe. */
function figureOf(parts: readonly CaseComparison[], metric: string): Inline {
  const judged = parts.filter((each) => {
    const compared = metricOf(each, metric);
    return compared !== null && isJudged(compared);
  });
  const own = judged.length === 0 && parts.length === 1 ? parts : judged;
  const [first] = [...own].sort((one, other) => weight(metricOf(one, metric)) - weight(metricOf(other, metric)));
  return first === undefined ? absent : comparedCell(first, metric);
}

const verdicts: MetricComparison['verdict'][] = [
  'regression',
  'invalid',
  'not-measured',
  'inconclusive',
  'improvement',
  'new',
  'no-change',
];

function weight(compared: MetricComparison | null): number {
  if (compared === null) return verdicts.length;
  return compared.brokenLimit === null ? verdicts.indexOf(compared.verdict) : 0;
}
