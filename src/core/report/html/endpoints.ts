import { absent } from '../../format/figures.ts';
import { metrics } from '../../metrics/registry.ts';
import { left, type Row, right, type Section, withoutEmptyColumns } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { toneOf } from '../panels.ts';
import { metricOf, type ReportView, type Test } from '../view.ts';
import { endpointTitle, entryTitle, shortTest } from '../wording.ts';

/** Those by which a terminal shows a run, too: few enough for a row to be read. */
const shown = metrics.flatMap((metric) =>
  metric.columns.terminal === null ? [] : [{ metric, title: metric.columns.terminal }],
);

/** Each endpoint at its fastest, a row for each service: what there is to see before the tables of all cases. */
export function endpointsSection({ tests, generators }: ReportView): Section | null {
  const byEndpoint = new Map<string, Test[]>();
  for (const test of tests) byEndpoint.set(test.endpoint, [...(byEndpoint.get(test.endpoint) ?? []), test]);
  if (byEndpoint.size === 0) return null;
  const isContest = new Set(tests.flatMap(({ entries }) => entries.map(({ label }) => label))).size > 1;
  const rows = [...byEndpoint.values()].map(fastest).flatMap((test) =>
    test.entries.map((entry, index): Row => {
      const load = generators.length > 1 ? `${test.generator} · ${shortTest(test)}` : shortTest(test);
      return {
        tone: toneOf(entry, isContest),
        cells: [
          index === 0 ? endpointTitle(test) : '',
          ...(isContest ? [entryTitle(entry)] : []),
          ...shown.map(({ metric }) => entryFigure(entry, metric)),
          load,
        ],
      };
    }),
  );
  const columns = [
    left('Endpoint'),
    ...(isContest ? [left('Service')] : []),
    ...shown.map(({ title }) => right(title)),
    left('Measured with'),
  ];
  const table = withoutEmptyColumns({ label: 'Endpoints', columns, rows }, absent);
  const text = 'Each endpoint in the test with the most requests per second. Results has every test.';
  return {
    id: 'endpoints',
    title: 'Endpoints',
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'table', table },
    ],
  };
}

/** The test in which a service answered the most requests; of generators that send at a rate only where there is no other. */
function fastest(tests: Test[]): Test {
  const closed = tests.filter(({ openModel }) => !openModel);
  // A reference calibrates, and competes with nobody.
  const most = ({ entries }: Test) =>
    Math.max(
      -1,
      ...entries.map(({ valid, reference, record }) =>
        valid && !reference ? (metricOf(record, 'throughput') ?? -1) : -1,
      ),
    );
  return (closed.length > 0 ? closed : tests).reduce((one, other) => (most(other) > most(one) ? other : one));
}
