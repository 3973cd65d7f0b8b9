import { describe, expect, it } from 'vitest';
import type { ObservedRecord, RunRecord } from '../../../src/core/record/run-record.ts';
import { blockHtml } from '../../../src/core/report/html/blocks.ts';
import { blockMarkdown } from '../../../src/core/report/markdown/blocks.ts';
import { fairness } from '../../../src/core/report/sections/fairness.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

const seen = (changes: Partial<ObservedRecord> = {}): ObservedRecord => ({
  caseKey: 'go/ping/direct/wrk/keep-alive/1000',
  connections: 1000,
  listeners: 1,
  backlog: 4096,
  processes: 1,
  threads: 9,
  databaseConnections: 15,
  cpus: '0-3',
  outputs: ['pipe'],
  outputBytesPerSecond: 0,
  headerBytes: 66,
  headers: ['content-length', 'date'],
  keepsConnection: true,
  unseen: [],
  ...changes,
});

function recordOf(services: Record<string, ObservedRecord>): RunRecord {
  const record = fixtureRecord('apostol');
  record.services = Object.entries(services).map(([service, observed]) => ({
    ...{ service, variant: 'candidate', artifact: service, failure: null, observed },
  }));
  return record;
}

const linesOf = (record: RunRecord) =>
  (fairness(viewOf(record))?.blocks ?? []).map(blockMarkdown).join('\n\n').split('\n');

describe('what was seen of the services', () => {
  it('begins with what differs, in the order of the spec, and has all in a table', () => {
    const node = seen({
      ...{ backlog: 511, processes: 4, threads: 44, headerBytes: 123, outputBytesPerSecond: 1_572_864 },
      ...{ headers: ['connection', 'content-length', 'date', 'keep-alive'], outputs: ['file', 'terminal'] },
      ...{ keepsConnection: false, encoding: 'gzip' },
    });
    expect(linesOf(recordOf({ go: seen({ outputBytesPerSecond: 200 }), nodejs: node }))).toMatchInlineSnapshot(`
      [
        "What differs between the services, and may explain a part of their figures:",
        "",
        "- **Listen backlog**: 511 (nodejs); 4,096 (go)",
        "- **Processes**: 4 (nodejs); 1 (go)",
        "- **Threads**: 44 (nodejs); 9 (go)",
        "- **Header bytes per answer**: 123 (nodejs); 66 (go)",
        "- **Keeps connections**: no (nodejs); yes (go)",
        "- **Compression**: gzip (nodejs); none (go)",
        "- **Output goes to**: a file, a terminal (nodejs); a pipe (go)",
        "- **Output under load**: 1.50 MiB/s (nodejs); next to none (go)",
        "- **Headers that not all send**: \`connection\`, \`keep-alive\` (nodejs)",
        "",
        "What was seen of each service from outside, in the warm-up of its case with the most connections; nothing of it is taken from the spec. An answer was asked for once, without load.",
        "",
        "| Seen                    |             nodejs |                go |",
        "| ----------------------- | -----------------: | ----------------: |",
        "| Seen with               |  1,000 connections | 1,000 connections |",
        "| Listen backlog          |                511 |             4,096 |",
        "| Listening sockets       |                  1 |                 1 |",
        "| Processes               |                  4 |                 1 |",
        "| Threads                 |                 44 |                 9 |",
        "| Database connections    |                 15 |                15 |",
        "| Runs on the CPUs        |                0-3 |               0-3 |",
        "| Header bytes per answer |                123 |                66 |",
        "| Keeps connections       |                 no |               yes |",
        "| Compression             |               gzip |              none |",
        "| Output goes to          | a file, a terminal |            a pipe |",
        "| Output under load       |         1.50 MiB/s |           200 B/s |",
      ]
    `);
  });

  it('says where nothing differs, and nothing of that for a single service', () => {
    expect(linesOf(recordOf({ go: seen(), nodejs: seen() }))[0]).toBe(
      'The services differ in nothing of what follows.',
    );
    expect(linesOf(recordOf({ go: seen() }))[0]).toMatch(/^What was seen of each service from outside/);
  });

  it('names services that send the same headers together', () => {
    const dated = seen({ headers: ['connection', 'date'] });
    const said = linesOf(recordOf({ go: seen(), nodejs: dated, python: dated })).filter((line) =>
      /Headers that/.test(line),
    );
    expect(said).toEqual(['- **Headers that not all send**: `connection` (python, nodejs); `content-length` (go)']);
  });

  it('names what could not be seen once, and leaves out its rows', () => {
    const { backlog: _, databaseConnections: __, ...rest } = seen({ unseen: ['The listen backlog is not seen.'] });
    const lines = linesOf(recordOf({ go: rest, nodejs: rest }));
    expect(lines.at(-1)).toBe('The listen backlog is not seen.');
    expect(lines.filter((line) => /^\| (Listen backlog|Database)/.test(line))).toEqual([]);
  });

  it('has a row for each of many services', () => {
    const names = ['nginx', 'apostol-v2', 'go', 'apostol-v1', 'nodejs', 'python', 'seventh'];
    const lines = linesOf(recordOf(Object.fromEntries(names.map((name) => [name, seen()]))));
    expect(lines.filter((line) => /^\| (nginx|seventh) /.test(line))).toHaveLength(2);
  });

  it('is none without an observation', () => {
    expect(fairness(viewOf(fixtureRecord('apostol')))).toBeNull();
  });

  it('escapes what a service says', () => {
    const hostile = seen({ headers: ['<img src=x onerror=alert(1)>|`a`'], encoding: '<script>|' });
    const section = fairness(viewOf(recordOf({ go: hostile, nodejs: seen() })))!;
    const page = section.blocks.map((block) => blockHtml(block)).join('');
    expect(page).not.toMatch(/<img|<script/);
    const rows = section.blocks.map(blockMarkdown).join('\n').split('\n');
    expect(rows.find((line) => line.startsWith('| Compression'))).not.toContain('<script');
  });
});
