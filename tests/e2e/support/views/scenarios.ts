import { readFileSync } from 'node:fs';
import { rawText } from '../../../../src/core/publication/raw-text.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { readRunRecord } from '../../../../src/core/record/run-record-file.ts';
import { seededRandom } from '../../../../src/core/statistics/random.ts';
import { type Harness, type HarnessRun, harness } from './data.ts';

/** Branches with runs of the fixtures, so that each view has something to show, and something to get wrong. */

function fixture(name: string): RunRecord {
  const file = new URL(`../../../../fixtures/records/${name}.json`, import.meta.url);
  return readRunRecord(readFileSync(file, 'utf8'), `${name}.json`);
}

/** The figures of another run of the same: each a few percent off. */
function again(record: RunRecord, seed: number, scatter = 0.03): RunRecord {
  const random = seededRandom(seed);
  const cases = record.cases.map((each) => ({
    ...each,
    metrics: Object.fromEntries(
      Object.entries(each.metrics).map(([name, metric]) => {
        const isCount = /per-(request|response)$/.test(name) && !name.includes('cpu');
        const factor = isCount ? 1 : 1 + (random.next() - 0.5) * 2 * scatter;
        const requests = name === 'throughput' ? { requests: 250_000 } : {};
        return [name, { ...metric, value: metric.value * factor, samples: [], ...requests }];
      }),
    ),
  }));
  return { ...record, cases };
}

/** With what the published figures of others do not tell: memory, CPU, and where it went. Invented. */
function withResources(record: RunRecord): RunRecord {
  const names = [...new Set(record.cases.map(({ service }) => service))];
  const cases = record.cases.map((each) => {
    const throughput = each.metrics.throughput?.value ?? 1000;
    const place = names.indexOf(each.service);
    const database = each.endpoint.startsWith('db') ? 0.7 : 0;
    const service = Math.min(2, 0.9 + 0.25 * place);
    const metric = (value: number, unit: string) => ({ value, unit, samples: [] });
    return {
      ...each,
      utilisation: { service, database, gateway: 0, generator: 0.8, own: 0.02, foreign: 0.01, steal: 0 },
      metrics: {
        ...each.metrics,
        'cpu-per-request': metric(((service + database) / throughput) * 1e6, 'us'),
        ...(database > 0 ? { 'database-cpu-per-request': metric((database / throughput) * 1e6, 'us') } : {}),
        'memory-peak': metric((12 + 31 * place) * 1024 ** 2 + each.connections * 1024, 'bytes'),
        'queries-per-request': metric(each.endpoint.startsWith('db') ? 1 : 0, '1/request'),
        'bytes-per-response': metric(133, 'bytes'),
      },
    };
  });
  return { ...record, cases };
}

const sha = (place: number) => (0x9d1e7b2c + place * 7919).toString(16).padStart(8, '0').repeat(5);
const dated = (records: readonly RunRecord[]): HarnessRun[] =>
  records.map((record, place) => ({ record: { ...record, source: { ...record.source, sha: sha(place) } } }));

export const scenarios = {
  /** Six services, one a reference; the last but two on another machine; the newest two on one. */
  services(): Harness {
    const record = withResources(fixture('apostol'));
    const runs = Array.from({ length: 8 }, (_, place) => again(record, place + 1));
    runs[5] = { ...runs[5]!, environment: { ...runs[5]!.environment, cpuModel: 'Another CPU' } };
    return harness(dated(runs));
  },
  /** One service, compared in duets: the newest failed. */
  compared(): Harness {
    const record = fixture('compared');
    return harness(dated([again({ ...record, comparing: undefined as never }, 3), record]).map(cleaned));
  },
  /** One load, of which a regression was accepted; then a run that found both sides to be the same. */
  alone(): Harness {
    const { comparing, ...rest } = fixture('compared');
    const record: RunRecord = {
      ...rest,
      cases: rest.cases.filter(({ variant }) => variant === 'candidate').slice(0, 1),
    };
    const { throughput } = record.cases[0]!.metrics;
    const compared = { change: -0.4, interval: [-0.5, -0.3] as [number, number], verdict: 'regression' as const };
    Object.assign(throughput!, { compared });
    const published = { accepted: [], baseline: comparing!.baseline, passed: true, mode: 'duet' as const };
    const accepted = [{ cases: '/db/users', metric: null, reason: 'the roles need it' }];
    return harness(
      dated([
        { ...record, published: { ...published, accepted } },
        { ...record, cases: [], published },
      ]),
    );
  },
  /** One service, two generators, a gateway. */
  small(): Harness {
    return harness(dated([again(fixture('small'), 5), fixture('small')]), {}, 1);
  },
  /** Names that attack, invalid cases, a service that never started; and a run whose file is cut off. */
  troubled(): Harness {
    const record = fixture('troubled');
    const runs = dated([again(record, 7), record, record]);
    runs[1] = { ...runs[1]!, text: '{"schemaVersion": 1, "id": "2026' };
    const hostile = { path: `raw/<img src=x onerror=alert(1)>.txt`, text: '<script>alert(1)</script>\u202e\n</pre>' };
    const long = { path: 'raw/long.txt', text: 'x'.repeat(100_000) };
    runs[2] = { ...runs[2]!, raw: rawText('20261101-110000-000002', [hostile, long])! };
    runs[0] = { ...runs[0]!, raw: rawText('20261101-090000-000000', [{ path: 'raw/a.txt', text: 'Running' }])! };
    return harness(runs, { server: 'javascript:alert(1)', repository: '"><script>alert(1)</script>' });
  },
  empty(): Harness {
    return harness([]);
  },
} as const;

export type ScenarioName = keyof typeof scenarios;

/** `comparing: undefined` is no record's: the key goes. */
function cleaned(run: HarnessRun): HarnessRun {
  const { comparing, ...rest } = run.record;
  return { ...run, record: comparing === undefined ? rest : run.record };
}
