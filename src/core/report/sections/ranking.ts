import { absent, counted, share, throughput } from '../../format/figures.ts';
import { aboutService } from '../about.ts';
import { areOfSeveralMachines } from '../analysis/machines.ts';
import { type RankedService, rankedTests, ranking } from '../analysis/ranking.ts';
import { type Block, left, type Row, right, type Section, type Table, withoutEmptyColumns } from '../document.ts';
import type { ReportView } from '../view.ts';
import { longTest } from '../wording.ts';

/** Who answers the most requests, or why nobody is said to; for each closed-loop generator on its own; without references and invalid cases. */
export function rankingSection(view: ReportView): Section | null {
  if (areOfSeveralMachines(view.tests)) return refusedRanking(view);
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
      { kind: 'table', table: rankingTable(ranked, only === null ? tests.length : null, generator, view.record.spec) },
    ];
  });
  if (blocks.length === 0) return null;
  return { id: 'ranking', title: 'Ranking', blocks };
}

/** A run with a single service has no ranking that could be missed. */
function refusedRanking({ tests, record }: ReportView): Section | null {
  if (new Set(tests.flatMap(({ entries }) => entries.map(({ label }) => label))).size < 2) return null;
  const text = `Nobody is ranked: the cases were measured on different CPU models (${record.environment.cpuModel}), so their figures are not comparable.`;
  return { id: 'ranking', title: 'Ranking', blocks: [{ kind: 'warning', text }] };
}

/** `tests` is null where there was but one: then its throughput is the order. */
function rankingTable(
  ranked: RankedService[],
  tests: number | null,
  generator: string,
  spec: ReportView['record']['spec'],
): Table {
  const columns = [
    ...[right('#'), left('Service'), left('About')],
    ...(tests === null ? [right('RPS'), right('Of the best')] : [right('Mean share of the best'), right('Fastest in')]),
  ];
  const rows = ranked.map(({ label, rank, score, wins, throughput: perSecond, missing, hasErrors }): Row => {
    const about = aboutService(spec, label);
    if (rank === null || score === null) {
      const why = hasErrors ? 'errors' : 'not valid';
      const reason = tests === null ? why : `${why} in ${missing} of ${tests}`;
      return {
        tone: hasErrors ? 'plain' : 'invalid',
        cells: [absent, `${label} (not ranked: ${reason})`, about, absent, absent],
      };
    }
    return {
      tone: rank === 1 ? 'best' : 'plain',
      cells:
        tests === null
          ? [String(rank), label, about, throughput(perSecond!), share(score)]
          : [String(rank), label, about, share(score), `${wins} of ${tests}`],
    };
  });
  const table = { label: `Ranking of the services by throughput with ${generator}`, columns, rows };
  return withoutEmptyColumns(table, absent);
}
