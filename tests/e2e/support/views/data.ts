import { comparisonOf } from '../../../../src/core/comparison/comparison-of.ts';
import { metrics as known } from '../../../../src/core/metrics/registry.ts';
import type { Manifest } from '../../../../src/core/publication/manifest.ts';
import { publishedRecord } from '../../../../src/core/publication/published-record.ts';
import type { SeriesPiece } from '../../../../src/core/publication/series-piece.ts';
import { publishedText } from '../../../../src/core/record/published-form.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import type { RunEntry } from '../../../../src/site/pages/view.ts';

/** What the page of the harness is given in place of a data branch. */
export interface HarnessData {
  manifest: Manifest;
  piece: SeriesPiece;
  entries: Omit<RunEntry, 'piece'>[];
  firstFetch: number;
}

export interface HarnessRun {
  record: RunRecord;
  entry?: Partial<Omit<RunEntry, 'id' | 'piece' | 'place'>>;
  /** In place of the file of the run. */
  text?: string;
  /** What its generators printed, as `rawText` makes it. */
  raw?: string;
}

export interface Harness {
  data: HarnessData;
  /** Id → text of the file; `ID.raw` → what the generators of the run printed. */
  files: Map<string, string>;
}

/** Oldest first; the records get ids and times of their own, an hour apart. */
export function harness(runs: readonly HarnessRun[], manifest: Partial<Manifest> = {}, firstFetch = 50): Harness {
  const dated = runs.map(({ record, entry, text, raw }, place) => {
    const at = Date.UTC(2026, 10, 1, 9) + place * 3_600_000;
    const time = new Date(at).toISOString();
    const id = `${time.slice(0, 10).replaceAll('-', '')}-${time.slice(11, 19).replaceAll(':', '')}-${place.toString(16).padStart(6, '0')}`;
    const comparison = record.comparing === undefined ? null : comparisonOf(record);
    const published = {
      ...publishedRecord(record, comparison, { raw: raw !== undefined }),
      id,
      startedAt: time,
    };
    return { at, id, published, entry, raw, text: text ?? publishedText(published) };
  });
  const cases = [
    ...new Map(dated.flatMap(({ published }) => published.cases.map((each) => [each.key, each]))).values(),
  ];
  const metrics = known.filter(({ name }) => cases.some((each) => Object.hasOwn(each.metrics, name)));
  const value = (record: RunRecord, key: string, metric: string) => {
    const found = record.cases.find((each) => each.key === key);
    return found?.status === 'valid' && Object.hasOwn(found.metrics, metric) ? found.metrics[metric]!.value : null;
  };
  const series = cases.flatMap(({ key }, one) =>
    metrics.map(({ name }, other): [string, SeriesPiece['series'][string]] => [
      `${one}.${other}`,
      { value: dated.map(({ published }) => value(published, key, name)) },
    ]),
  );
  const entries = dated.map(({ at, id, published, entry }, place) => ({
    id,
    at,
    sha: published.source.sha,
    workflowRun: null,
    pullRequest: published.source.pullRequest,
    release: null,
    cpu: `${published.environment.cpuModel}, ${published.environment.cpuCount} CPUs`,
    passed: published.published?.passed ?? null,
    mode: null,
    anchor: null,
    imported: false,
    accepted: [],
    place,
    ...entry,
  }));
  const column = <K extends keyof (typeof entries)[number]>(key: K) => entries.map((entry) => entry[key]);
  return {
    files: new Map(
      dated.flatMap(({ id, text, raw }) => [
        [id, text] as const,
        ...(raw === undefined ? [] : [[`${id}.raw`, raw] as const]),
      ]),
    ),
    data: {
      firstFetch,
      entries,
      manifest: {
        schemaVersion: 1,
        tool: '0.1.0',
        spec: runs[0]?.record.spec.name ?? 'none',
        server: 'https://github.com',
        repository: 'acme/api',
        cases: cases.map(({ key, service, endpoint, route, generator, keepAlive, connections, rate }) => ({
          key,
          service,
          endpoint,
          load: { route, generator, keepAlive, connections, rate },
          reference: false,
        })),
        metrics: metrics.map(({ name, title, unit, better }) => ({ name, title, unit, better })),
        months: [{ month: '2026-11', pieces: 1, runs: runs.length, gone: 0, imported: 0 }],
        latest: null,
        leftOut: [],
        oldest: null,
        since: null,
        ...manifest,
      },
      piece: {
        schemaVersion: 1,
        runs: {
          id: column('id'),
          sha: column('sha'),
          workflowRun: column('workflowRun'),
          pullRequest: column('pullRequest'),
          release: column('release'),
          cpu: entries.map(() => 0),
          passed: column('passed'),
          mode: ' '.repeat(entries.length),
          imported: column('imported'),
        },
        cpus: ['any'],
        accepted: [],
        series: Object.fromEntries(series),
      },
    },
  };
}
