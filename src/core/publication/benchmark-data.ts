import * as z from 'zod';
import { UserError } from '../user-error.ts';

/** The file is not what github-action-benchmark publishes; the message is one sentence for a person. */
export class UnreadableBenchmarkData extends UserError {
  override name = 'UnreadableBenchmarkData';
}

/** Characters. The longest ones seen have 100 million, most less than one. */
export const mostBenchmarkData = 128 * 1024 * 1024;

const bench = z.looseObject({
  name: z.coerce.string(),
  /** Null is what JSON makes of a figure that is none. */
  value: z.union([z.number(), z.string(), z.null()]),
  unit: z.coerce.string().optional(),
});

const entry = z.looseObject({
  commit: z.looseObject({ id: z.string(), url: z.string().optional() }),
  date: z.number().int().min(0).max(8.64e15),
  tool: z.string(),
  benches: z.array(bench),
});

const schema = z.looseObject({
  repoUrl: z.string().optional(),
  entries: z.record(z.string(), z.array(entry)),
});

/** What `data.js` holds: by the name of a suite, what each commit came to. */
export type BenchmarkData = z.infer<typeof schema>;
export type BenchmarkEntry = BenchmarkData['entries'][string][number];

const ASSIGNMENT = /^\ufeff?\s*window\.BENCHMARK_DATA\s*=/;

/**
 * Of the text of `data.js`, or of the same as JSON, which is how the action keeps it outside of a branch. It is read and never
 * run: behind the assignment everything must be JSON. Throws `UnreadableBenchmarkData`, and nothing else.
 */
export function readBenchmarkData(text: string, fileName: string): BenchmarkData {
  const refuse = (why: string) => new UnreadableBenchmarkData(`${fileName} ${why}`);
  if (text.length > mostBenchmarkData) {
    throw refuse(`has ${text.length} characters, where at most ${mostBenchmarkData} are read.`);
  }
  const start = ASSIGNMENT.exec(text.slice(0, 1000))?.[0].length ?? 0;
  const json = text
    .slice(start)
    .replace(/^\ufeff/, '')
    .replace(/;\s{0,1000}$/, '');
  if (!/^\s{0,1000}\{/.test(json)) {
    throw refuse(
      'is not a data.js of github-action-benchmark: it begins with neither `window.BENCHMARK_DATA = {` nor `{`. It is dev/bench/data.js on the branch gh-pages.',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const why = /end of JSON|Unterminated/i.test((error as Error).message)
      ? 'is cut off'
      : 'is no JSON behind its assignment';
    throw refuse(`${why}: fetch it again from its branch, as in: git show origin/gh-pages:dev/bench/data.js > data.js`);
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = (issue?.path ?? []).map((part) => JSON.stringify(part).slice(0, 60)).join(', ');
  throw refuse(
    `is not a data.js of github-action-benchmark: ${where === '' ? 'it' : `[${where}]`} is not as the action writes it (${issue?.message}).`,
  );
}
