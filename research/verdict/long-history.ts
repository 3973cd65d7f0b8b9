import { atMost, type BenchResult, rounded } from '../../scripts/bench/target.ts';
import { storedComparison } from '../../src/core/comparison/stored.ts';
import { type StoredHistory, startHistory } from '../../src/core/comparison/stored-history.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import { normal } from './distributions.ts';

const RUNS = 10_000;
const SERIES = 64;
const SEED = 4;

/** Two records judged against 10,000 past runs of 16 cases with 4 metrics each. */
export function longHistory(say: (line: string) => void): BenchResult {
  const record = madeUpRecord({
    seed: SEED,
    comparing: null,
    cases: ['ping', 'time', 'users', 'db-ping'].flatMap((endpoint) =>
      [true, false].flatMap((keepAlive) =>
        [100, 1000].map((connections) => ({
          endpoint,
          keepAlive,
          connections,
          lacking: { baseline: ['latency-p99'], candidate: ['latency-p99'] },
        })),
      ),
    ),
  });
  const startedReading = performance.now();
  const past = startHistory();
  for (const each of pastRuns(record)) past.add(each);
  const history = past.end();
  const readSeconds = (performance.now() - startedReading) / 1000;
  const series = seriesCount(history);
  const [base, head] = [renamed(record, 'base'), renamed(record, 'head')];

  const started = performance.now();
  const comparison = storedComparison(base, head, history);
  const seconds = (performance.now() - started) / 1000;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const judged = comparison.cases.flatMap(({ metrics }) =>
    Object.values(metrics).filter(({ evidence }) => evidence.rounds > 1000),
  );
  say(`${RUNS} runs x ${series} series: decided in ${seconds.toFixed(3)} s, ${megabytes.toFixed(0)} MB at most`);
  if (series !== SERIES || judged.length !== SERIES) {
    throw new Error(
      `${series} series, of which ${judged.length} were judged by their history; there should be ${SERIES}.`,
    );
  }
  return {
    figures: {
      historyReadSeconds: rounded(readSeconds),
      historyDecisionSeconds: rounded(seconds),
      historyMegabytes: rounded(megabytes),
    },
    targets: [
      atMost(`decision on a history of ${RUNS} runs x ${SERIES} series, s`, rounded(seconds), 1),
      atMost('its memory, MB of the whole process', rounded(megabytes), 200),
    ],
  };
}

function* pastRuns(record: RunRecord): Generator<RunRecord> {
  const random = seededRandom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = new Date(Date.UTC(2020, 0, 1) + run * 3_600_000).toISOString();
    const cases = record.cases.map((each) => ({
      ...each,
      metrics: Object.fromEntries(
        Object.entries(each.metrics).map(([name, metric]) => [
          name,
          { ...metric, samples: [], value: metric.value * (1 + 0.03 * normal(random)) },
        ]),
      ),
    }));
    yield { ...record, id: `run-${run}`, startedAt, cases };
  }
}

const seriesCount = (history: StoredHistory) => history.series.size;

const renamed = (record: RunRecord, id: string): RunRecord => ({ ...record, id });
