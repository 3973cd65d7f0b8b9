import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agreement, rankCorrelation, withBlock } from '../../../scripts/bench/suites/agreement.ts';
import { DOCUMENTS, type SuiteDocument } from '../../../scripts/bench/suites/documents.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const README = `# api

<!-- figures -->
| service | document | 100 there | off, 100 |
| --- | --- | ---: | ---: |
| \`go\` | Go 1.14 | 2,000.5 | 400 |
| \`node\` | Node.js 14 | 1,000 | |
| \`flask\` | Flask | 20.4, 4.2 % errors | 8 |
<!-- /figures -->

<!-- measured -->
Not yet measured.
<!-- /measured -->

After it.
`;
const document: SuiteDocument = {
  suite: 'api',
  against: 'go',
  columns: [
    { title: '100 there', endpoint: 'ping', keepAlive: true },
    { title: 'off, 100', endpoint: 'ping', keepAlive: false },
  ],
  leastValid: 3,
};

/** Of each service with keep-alive on and off, as fast as is said; null is invalid. */
function recordOf(throughput: Record<string, [number | null, number | null]>): RunRecord {
  const cases = Object.keys(throughput).flatMap((service) =>
    [true, false].map((keepAlive) => ({ service, endpoint: 'ping', keepAlive })),
  );
  const record = madeUpRecord({ cases });
  const own = record.cases.map((each) => {
    const value = throughput[each.service]![each.keepAlive ? 0 : 1];
    if (value === null) {
      return { ...each, status: 'invalid' as const, reasons: [{ code: 'errors' as const, message: 'It failed.' }] };
    }
    return { ...each, metrics: { ...each.metrics, throughput: { ...each.metrics.throughput!, value } } };
  });
  return { ...record, startedAt: '2026-11-23T10:00:00.000Z', cases: own } as RunRecord;
}

describe("a rank correlation is Spearman's", () => {
  it.each([
    [
      [
        [1, 10],
        [2, 20],
        [3, 30],
      ],
      1,
    ],
    [
      [
        [1, 30],
        [2, 20],
        [3, 10],
      ],
      -1,
    ],
    // IQ and hours of television: https://en.wikipedia.org/wiki/Spearman%27s_rank_correlation_coefficient
    [
      [
        [106, 7],
        [100, 27],
        [86, 2],
        [101, 50],
        [99, 28],
        [103, 29],
        [97, 20],
        [113, 12],
        [112, 6],
        [110, 17],
      ],
      -29 / 165,
    ],
    // Equal values share their ranks: 1.5, 1.5, 3 beside 1, 2, 3.
    [
      [
        [5, 1],
        [5, 2],
        [9, 3],
      ],
      Math.sqrt(3) / 2,
    ],
  ] as [[number, number][], number][])('of %j: %f', (pairs, expected) => {
    expect(rankCorrelation(pairs)).toBeCloseTo(expected, 10);
  });
});

describe('what was measured beside a document', () => {
  it('is ratios and ranks in the place that the README has for them', () => {
    const record = recordOf({ go: [9000, 800], node: [3000, 700], flask: [90, null] });
    const { valid, ranks, block } = agreement(document, README, record, true);
    expect(valid).toEqual(['go', 'node']);
    expect(ranks).toEqual([1, null]);
    const { cpuCount, cpuModel, kernel } = record.environment;
    expect(withBlock(README, block)).toBe(
      README.replace(
        'Not yet measured.',
        `Here: 2 of 3 services valid, with \`--quick\`, ${cpuCount} CPUs (${cpuModel}), Linux ${kernel}, 2026-11-23: [run.json](results/run.json), [report](results/report.md). Requests per second · ratio to \`go\` (the document's ratio).

| service | 100 | off, 100 |
| --- | ---: | ---: |
| \`go\` | 9,000 · 1.00x (1.00x) | 800 · 1.00x (1.00x) |
| \`node\` | 3,000 · 0.33x (0.50x) | 700 · 0.88x |
| \`flask\` | 90 · 0.01x (0.01x) | invalid |

Rank correlation with the document (Spearman's): 1.00 (column 1).

Invalid:

- \`flask\`, 2 cases: It failed.`,
      ),
    );
  });

  it('needs a table with the columns, and a place', () => {
    const record = recordOf({ go: [9000, 800] });
    expect(() => agreement(document, '# api', record, true)).toThrow('no table between `<!-- figures -->`');
    const other = { ...document, columns: [{ title: '200 there' }] };
    expect(() => agreement(other, README, record, true)).toThrow('no column "200 there"');
    expect(() => withBlock('# api', 'x')).toThrow('no `<!-- measured -->`');
  });

  it.each(DOCUMENTS.map(({ suite }) => suite))(
    'has its place in the README of %s, whose columns are there',
    (suite) => {
      const own = DOCUMENTS.find((each) => each.suite === suite)!;
      const readme = readFileSync(`fixtures/suites/${suite}/README.md`, 'utf8');
      expect(withBlock(readme, agreement(own, readme, recordOf({}), true).block)).toContain('0 of 0 services valid');
    },
  );
});

describe('a case that is beyond the machine', () => {
  const beyond = () => {
    const record = recordOf({ go: [300, 30], node: [200, 20], flask: [100, 10] });
    const cases = record.cases.map((each) =>
      each.service === 'flask' && !each.keepAlive
        ? {
            ...each,
            status: 'invalid' as const,
            reasons: [{ code: 'machine-limit' as const, message: 'not measured: 20,000 connections need more files.' }],
          }
        : each,
    );
    return agreement(document, README, { ...record, cases } as RunRecord, true);
  };

  it('counts neither for its service nor against it', () => {
    expect(beyond().valid).toEqual(['go', 'node', 'flask']);
  });

  it('is named as that in the table, and once below it for all cases', () => {
    const lines = beyond().block.split('\n');
    expect(lines).toContain('| `flask` | 100 · 0.33x (0.01x) | beyond this machine |');
    expect(lines.slice(-3)).toEqual([
      '',
      'Left out, 2 cases: not measured: 20,000 connections need more files.',
      '<!-- /measured -->',
    ]);
  });
});
