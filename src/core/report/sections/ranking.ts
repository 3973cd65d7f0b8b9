import { absent, counted, share, throughput } from '../../format/figures.ts';
import { type RankedService, rankedTests, ranking } from '../analysis/ranking.ts';
import { type Block, left, type Row, right, type Section, type Table } from '../document.ts';
import type { ReportView } from '../view.ts';
import { longTest } from '../wording.ts';

/** Who answers the most requests, for each closed-loop generator on its own; without references and invalid cases. */
export function rankingSection(view: ReportView): Section | null {
  const blocks = view.generators.flatMap((generator): Block[] => {
    const tests = rankedTests(view.tests.filter((test) => test.generator === generator));
    const ranked = ranking(tests);
    if (ranked.length < 2) return [];
    const only = tests.length === 1 ? tests[0]! : null;
    const basis =
      only === null
        ? `${counted(tests.length, 'test')} with ${generator}; the order is that of the geometric mean of each service's throughput as a share of the best one's:`
        : `By requests per second in the one test with ${generator}, ${longTest(only)}:`;
    return [
      { kind: 'paragraph', text: basis },
      { kind: 'table', table: rankingTable(ranked, only === null ? tests.length : null, generator) },
    ];
  });
  if (blocks.length === 0) return null;
  return { id: 'ranking', title: 'Ranking', blocks };
}

/** `tests` is null where there was but one: then its throughput is the order. */
function rankingTable(ranked: RankedService[], tests: number | null, generator: string): Table {
  const columns =
    tests === null
      ? [right('#'), left('Service'), right('RPS'), right('Of the best')]
      : [right('#'), left('Service'), right('Mean share of the best'), right('Fastest in')];
  const rows = ranked.map(({ label, rank, score, wins, throughput: perSecond, missing }): Row => {
    if (rank === null || score === null) {
      const reason = tests === null ? 'not valid' : `not valid in ${missing} of ${tests}`;
      return { tone: 'invalid', cells: [absent, `${label} (not ranked: ${reason})`, absent, absent] };
    }
    return {
      tone: rank === 1 ? 'best' : 'plain',
      cells:
        tests === null
          ? [String(rank), label, throughput(perSecond!), share(score)]
          : [String(rank), label, share(score), `${wins} of ${tests}`],
    };
  });
  return { label: `Ranking of the services by throughput with ${generator}`, columns, rows };
}
