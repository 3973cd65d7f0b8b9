/**
 * A record as it lies on the data branch: what repeats is said once, and a figure is a short list. It holds what the record
 * holds, and `readRunRecord` reads both.
 */
import * as z from 'zod';
import { GENERATOR_NAMES } from '../generators/registry.ts';
import type { CaseRecord, ComparedFigure, MetricRecord, PublishedComparison, RunRecord } from './run-record.ts';
import { recordSchemaVersion, runRecordSchema } from './schema.ts';
import { count, figure, text } from './schema-parts.ts';

/** The letter of each verdict, here and in the series of the pages. */
export const VERDICT_LETTERS = {
  regression: 'r',
  improvement: 'i',
  'no-change': 'n',
  inconclusive: '?',
  'not-measured': '-',
  invalid: 'x',
  new: '+',
} as const satisfies Record<NonNullable<ComparedFigure['verdict']>, string>;

const VERDICTS = new Map(Object.entries(VERDICT_LETTERS).map(([verdict, letter]) => [letter as string, verdict]));

const letter = z.enum(Object.values(VERDICT_LETTERS) as ['r', 'i', 'n', '?', '-', 'x', '+']).nullable();
const comparedList = z
  .array(z.union([figure, letter]))
  .min(1)
  .max(4)
  .describe('Change, low and high end of its interval, letter of the verdict; nulls at the end are left out.');
const figureList = z
  .array(z.union([figure, letter]))
  .min(1)
  .max(8)
  .describe(
    'Value, change, low and high end of its interval, letter of the verdict, number of samples, the lowest, the highest (absent where all are the value); nulls at the end are left out.',
  );
const places = z.array(count).exactOptional();

const record = runRecordSchema.shape;
const caseShape = z.looseObject({
  key: text,
  service: text,
  endpoint: text,
  route: z.literal('gateway').exactOptional().describe('Absent for direct.'),
  generator: z.enum(GENERATOR_NAMES),
  keepAlive: z.boolean(),
  connections: count,
  rate: figure.exactOptional(),
  status: z.literal('invalid').exactOptional().describe('Absent for valid.'),
  reasons: places.describe('Places in `notes`.'),
  warnings: places.describe('Places in `notes`.'),
  requests: figure.exactOptional().describe('That throughput rests on.'),
  figures: z
    .array(z.union([z.null(), figure, figureList]))
    .describe('One for each of `metrics`; nulls at the end are left out. A number is a value that was not compared.'),
  utilisation: z.record(text, figure).exactOptional().describe('As in `run.json`, without those that are 0.'),
  statements: z
    .array(z.tuple([count, figure, figure, figure]))
    .exactOptional()
    .describe('Place in `queries`, calls, rows and milliseconds per request.'),
});

export const publishedFormSchema = z.looseObject({
  ...record,
  form: z.literal('published'),
  published: z.looseObject({
    ...record.published.def.innerType.shape,
    levels: z.array(z.tuple([text, z.array(z.union([z.null(), comparedList]))])).exactOptional(),
  }),
  metrics: z.array(z.tuple([text, text])).describe('Name and unit, in the order of `figures`.'),
  queries: z.array(text).describe('Normalised text, as pg_stat_statements keeps it.'),
  notes: z.array(z.looseObject({ code: text, message: text })).describe('Reasons and warnings of cases.'),
  cases: z.array(caseShape),
});

type Form = z.infer<typeof publishedFormSchema>;
type FormCase = Form['cases'][number];
type Letter = z.infer<typeof letter>;
type List = (number | Letter)[];
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
export function fromPublishedForm({ form: _, metrics, queries, notes, cases, published, ...rest }: Form): unknown {
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

function caseOf(each: FormCase, form: Pick<Form, 'metrics' | 'queries' | 'notes'>): unknown {
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
      | 'duet'
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

function levelOf(key: string, lists: readonly (List | null)[], metrics: Form['metrics']): unknown {
  const own = metrics.flatMap(([name], place) => {
    const compared = comparedFrom(lists[place] ?? []);
    return compared === null ? [] : [[name, compared]];
  });
  return { key, metrics: Object.fromEntries(own) };
}

/** The JSON Schema that other programs read, as an object ready to be printed. */
export function publishedFormJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(publishedFormSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    $schema,
    title: `wrkbench published run, version ${recordSchemaVersion}`,
    description: 'What the data branch keeps of a run: its figures, and what was compared of them.',
    ...rest,
  };
}
