/** A record as it lies on the data branch, written and read. It holds what the record holds, and `readRunRecord` reads both. */
import { type PublishedForm, VERDICT_LETTERS, type VerdictLetter } from './published-form-schema.ts';
import type { CaseRecord, ComparedFigure, MetricRecord, PublishedComparison, RunRecord } from './run-record.ts';

const VERDICTS = new Map(Object.entries(VERDICT_LETTERS).map(([verdict, letter]) => [letter as string, verdict]));

type FormCase = PublishedForm['cases'][number];
type List = (number | VerdictLetter)[];
const UTILISATION = ['service', 'database', 'gateway', 'generator', 'own', 'foreign', 'steal'] as const;

/** JSON text. `record` is as `publishedRecord` makes it: with `published`, of candidates alone and without samples. */
export function publishedText(record: RunRecord): string {
  const metrics = placed<[string, string]>();
  const queries = placed<string>();
  const notes = placed<{ code: string; message: string }>();
  for (const each of record.cases) {
    for (const [name, { unit }] of Object.entries(each.metrics)) metrics.place([name, unit]);
  }
  const cases = record.cases.map((each): FormCase => {
    const { key, service, endpoint, route, generator, keepAlive, connections, rate, status } = each;
    const { throughput } = each.metrics;
    const figures = metrics.all.map(([name, unit]) => {
      const metric = Object.hasOwn(each.metrics, name) ? each.metrics[name]! : null;
      return metric === null || metric.unit !== unit ? null : listOf(metric);
    });
    const used = [...UTILISATION, 'dependencies' as const, 'busiestThread' as const].flatMap(
      (name): [string, number][] => {
        const share = each.utilisation?.[name] ?? 0;
        return share === 0 ? [] : [[name, share]];
      },
    );
    return {
      key,
      service,
      endpoint,
      ...(route === 'direct' ? {} : { route }),
      generator,
      keepAlive,
      connections,
      ...(rate === null ? {} : { rate }),
      ...(status === 'valid' ? {} : { status }),
      ...(each.beyond === undefined ? {} : { beyond: each.beyond }),
      ...(each.reasons.length === 0 ? {} : { reasons: each.reasons.map(notes.place) }),
      ...(each.warnings.length === 0 ? {} : { warnings: each.warnings.map(notes.place) }),
      ...(throughput?.requests === undefined ? {} : { requests: throughput.requests }),
      figures: withoutLastNulls(figures),
      ...(each.utilisation === null ? {} : { utilisation: Object.fromEntries(used) }),
      ...(each.statements === undefined
        ? {}
        : {
            statements: each.statements.map(({ query, callsPerRequest, rowsPerRequest, msPerRequest }) => [
              queries.place(query),
              callsPerRequest,
              rowsPerRequest,
              msPerRequest,
            ]),
          }),
    };
  });
  const { levels, ...published } = record.published ?? NOT_COMPARED;
  const form = {
    ...record,
    form: 'published',
    published: { ...published, ...(levels === undefined ? {} : { levels: levelLists(levels, metrics.all) }) },
    metrics: metrics.all,
    queries: queries.all,
    notes: notes.all,
    cases,
  };
  return `${JSON.stringify(form)}\n`;
}

const NOT_COMPARED: PublishedComparison = { accepted: [], baseline: null, passed: null };

/** Things in the order of their first use, each once. */
function placed<T>(): { all: T[]; place(each: T): number } {
  const all: T[] = [];
  const known = new Map<string, number>();
  return {
    all,
    place(each) {
      const name = JSON.stringify(each);
      const at = known.get(name) ?? all.push(each) - 1;
      known.set(name, at);
      return at;
    },
  };
}

function listOf({ value, compared, summary }: MetricRecord): number | List {
  const list = withoutLastNulls([
    value,
    ...comparedOf(compared),
    ...(summary === undefined ? [] : [summary.samples, ...rangeOf(value, summary)]),
  ]);
  return list.length === 1 ? value : list;
}

/** Nothing where every sample was the value itself, as those of a count are. */
function rangeOf(value: number, { low, high }: NonNullable<MetricRecord['summary']>): List {
  return low === value && high === value ? [] : [low, high];
}

function comparedOf(compared: ComparedFigure | undefined): List {
  if (compared === undefined) return [null, null, null, null];
  const { change, interval, verdict } = compared;
  return [change, interval?.[0] ?? null, interval?.[1] ?? null, verdict === null ? null : VERDICT_LETTERS[verdict]];
}

function levelLists(levels: NonNullable<PublishedComparison['levels']>, metrics: readonly [string, string][]) {
  return levels.map(({ key, metrics: own }) => [
    key,
    withoutLastNulls(
      metrics.map(([name]) => (Object.hasOwn(own, name) ? withoutLastNulls(comparedOf(own[name])) : null)),
    ),
  ]);
}

function withoutLastNulls<T>(list: readonly T[]): T[] {
  const length = list.findLastIndex((each) => each !== null) + 1;
  return list.slice(0, length);
}

/** Whether a parsed file claims to be of this form. */
export function isPublishedForm(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { form?: unknown }).form === 'published';
}

/** The record, to be checked as any other: places in it may lead nowhere. */
export function fromPublishedForm({
  form: _,
  metrics,
  queries,
  notes,
  cases,
  published,
  ...rest
}: PublishedForm): unknown {
  const { levels, ...comparison } = published;
  return {
    ...rest,
    cases: cases.map((each) => caseOf(each, { metrics, queries, notes })),
    published: {
      ...comparison,
      ...(levels === undefined ? {} : { levels: levels.map(([key, lists]) => levelOf(key, lists, metrics)) }),
    },
  };
}

function caseOf(each: FormCase, form: Pick<PublishedForm, 'metrics' | 'queries' | 'notes'>): unknown {
  const { route, rate, status, reasons, warnings, requests, figures, utilisation, statements, ...rest } = each;
  const noted = (places: readonly number[] = []) => places.map((place) => form.notes[place]);
  const metrics = form.metrics.flatMap(([name, unit], place) => {
    const found = figures[place] ?? null;
    return found === null ? [] : [[name, metricOf(found, unit, name === 'throughput' ? requests : undefined)]];
  });
  return {
    ...rest,
    variant: 'candidate',
    route: route ?? 'direct',
    rate: rate ?? null,
    status: status ?? 'valid',
    reasons: noted(reasons),
    warnings: noted(warnings),
    metrics: Object.fromEntries(metrics),
    utilisation:
      utilisation === undefined
        ? null
        : { ...Object.fromEntries(UTILISATION.map((name) => [name, 0])), ...utilisation },
    ...(statements === undefined
      ? {}
      : {
          statements: statements.map(([query, callsPerRequest, rowsPerRequest, msPerRequest]) => ({
            query: form.queries[query],
            callsPerRequest,
            rowsPerRequest,
            msPerRequest,
          })),
        }),
    raw: [],
  } satisfies Record<
    keyof Omit<
      CaseRecord,
      | 'key'
      | 'service'
      | 'endpoint'
      | 'generator'
      | 'keepAlive'
      | 'connections'
      | 'beyond'
      | 'duet'
      | 'failedAlone'
      | 'dependencies'
      | 'statements'
      | 'reported'
    >,
    unknown
  >;
}

function metricOf(found: number | List, unit: string, requests: number | undefined): unknown {
  const [value, change, low, high, verdict, samples = null, lowest, highest] = Array.isArray(found) ? found : [found];
  const compared = comparedFrom([change, low, high, verdict]);
  return {
    value,
    unit,
    samples: [],
    ...(samples === null ? {} : { summary: { samples, low: lowest ?? value, high: highest ?? value } }),
    ...(requests === undefined ? {} : { requests }),
    ...(compared === null ? {} : { compared }),
  };
}

/** Null where nothing was compared. */
function comparedFrom([change = null, low = null, high = null, verdict = null]: (List[number] | undefined)[]): unknown {
  if (change === null && low === null && verdict === null) return null;
  return {
    change,
    interval: low === null && high === null ? null : [low, high],
    verdict: verdict === null ? null : VERDICTS.get(String(verdict)),
  };
}

function levelOf(key: string, lists: readonly (List | null)[], metrics: PublishedForm['metrics']): unknown {
  const own = metrics.flatMap(([name], place) => {
    const compared = comparedFrom(lists[place] ?? []);
    return compared === null ? [] : [[name, compared]];
  });
  return { key, metrics: Object.fromEntries(own) };
}
