import { readFileSync } from 'node:fs';
import { storedComparison } from '../../src/app/report.ts';
import type { Comparison } from '../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../src/core/comparison/comparison-of.ts';
import { rejudged } from '../../src/core/posting/judgement.ts';
import { headlineMarkdown, runMarkdown, runText } from '../../src/core/posting/run-text.ts';
import { statusOf } from '../../src/core/posting/status.ts';
import { jobSummary } from '../../src/core/posting/summary.ts';
import { judgedRun, runVerdict } from '../../src/core/posting/verdict.ts';
import { publishedRecord } from '../../src/core/publication/published-record.ts';
import { imagesOfRecord } from '../../src/core/record/artifact.ts';
import { publishedText } from '../../src/core/record/published-form.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { readRunRecord } from '../../src/core/record/run-record-file.ts';
import { comparisonText } from '../../src/core/report/comparison/text.ts';
import { PROJECT_URL } from '../../src/core/report/links.ts';
import { reportFormats } from '../../src/core/report/registry.ts';
import { terminalTable } from '../../src/core/report/terminal-table.ts';
import { unpairedText } from '../../src/core/report/unpaired.ts';
import { UserError } from '../../src/core/user-error.ts';
import { rendered } from '../../tests/support/github-markdown/rendered.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import { known } from '../../tests/unit/posting/made-up.ts';
import type { Kind } from './kind.ts';
import { mutated, mutatedValue, oneOf, wordsOf } from './mutation.ts';

const PAGE = { script: '', scriptHash: 'sha256-x' };
/** What a report or a comment links to by itself. */
const OWN_FILES = /^(?:run\.json|journal\.jsonl|raw\/)/;
const isOwn = (target: string) => OWN_FILES.test(target) || target === PROJECT_URL;
const OWN_ELEMENTS = /^(?:<details><summary><\/summary>|<\/details>|<summary>|<\/summary>)*$/;

/** `run.json` of somebody else, read and then shown in all the ways that there are. */
export function recordKind(): Kind {
  const records = [
    ...['hardware-tax', 'troubled', 'small', 'abstract-rest'].map((name) =>
      small(JSON.parse(readFileSync(`fixtures/records/${name}.json`, 'utf8')) as RunRecord),
    ),
    madeUpRecord({ seed: 12, rounds: 3, id: '20261120-092802-0a1b2c', cases: [{}] }),
    madeUpRecord({
      seed: 12,
      rounds: 4,
      id: '20261120-092802-0a1b2c',
      cases: [{ ratios: { 'cpu-per-request': 1.1 } }],
    }),
  ];
  const published = records
    .filter(({ comparing }) => comparing !== undefined)
    .map((record) => publishedText(publishedRecord(record, comparisonOf(record))));
  const texts = [...records.map((record) => JSON.stringify(record)), ...published];
  const values = [...records, ...published.map((text) => JSON.parse(text) as unknown)];
  const words = wordsOf(texts.flatMap((text) => text.match(/"[^"]*"/g) ?? []));
  return {
    name: 'record',
    share: 3,
    input: (random) =>
      random.below(8) === 0
        ? mutated(oneOf(texts, random), words, random)
        : JSON.stringify(mutatedValue(oneOf(values, random), words, random)),
    read: (text) => {
      const record = recordOf(text);
      if (record === null) return false;
      imagesOfRecord(record);
      const comparison = comparisonOfRecord(record);
      // The renderer itself is slow with very long lines.
      showEverywhere(record, comparison, text.length % 10 === 0 && text.length < 150_000);
      return true;
    },
  };
}

/** Some cases, with some samples: as much as the code that shows them looks at. */
function small(record: RunRecord): RunRecord {
  const cases = record.cases.slice(0, 6).map((each) => ({
    ...each,
    metrics: Object.fromEntries(
      Object.entries(each.metrics).map(([name, metric]) => [name, { ...metric, samples: metric.samples.slice(0, 4) }]),
    ),
  }));
  return { ...record, cases };
}

function recordOf(text: string): RunRecord | null {
  return meant(() => readRunRecord(text, 'run.json'));
}

/** A record that compares may be one that nothing can be told of; then that is said. */
function comparisonOfRecord(record: RunRecord): Comparison | null {
  return meant(() => storedComparison(record, null, ''));
}

function meant<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

function showEverywhere(record: RunRecord, comparison: Comparison | null, isRendered: boolean): void {
  const texts = [terminalTable(record), unpairedText(record)];
  if (comparison !== null) texts.push(comparisonText(comparison, { record }));
  for (const text of texts)
    if (/(?!\n|\u200d|\u200e)[\p{Cc}\p{Cf}]/u.test(text))
      throw new Error(`A terminal would obey ${JSON.stringify(text)}`);
  const documents = reportFormats.map((format) => ({ format, text: format.render(record, comparison, PAGE) }));
  for (const { format, text } of documents) if (format.fileName.endsWith('.json')) JSON.parse(text);
  const judged = judgedRun(record, comparison);
  for (const each of [judged, againstItself(record)]) {
    if (each === null) continue;
    const text = runText(each, { storedAs: 'main', fail: 'regression' });
    statusOf(record.spec.name, runVerdict(each), text, 'regression');
    headlineMarkdown(text);
    const comment = runMarkdown(text, 60_000);
    if (isRendered) expectHarmless(comment);
  }
  expectHarmless(isRendered ? jobSummary([judged], { storedAs: null, fail: 'regression' }) : '');
  if (isRendered) expectHarmless(documents.find(({ format }) => format.name === 'markdown')!.text);
}

/** As the reporting job judges it, which knows the base's spec. */
function againstItself(record: RunRecord) {
  return meant(() => rejudged(record, known({ baseSpec: record.spec })));
}

function expectHarmless(markdown: string): void {
  const { shape, targets, replaced } = rendered(markdown);
  const elements = [...shape.matchAll(/html:([^) ]*)/g)].map(([, tags]) => tags!);
  const wrong = [
    ...targets.filter((target) => !isOwn(target)),
    ...replaced,
    ...elements.filter((tags) => !OWN_ELEMENTS.test(tags)),
    ...(/\b(?:image|task|footnote\w*|definition)\b/.exec(shape) ?? []),
  ];
  if (wrong.length > 0) throw new Error(`Markdown holds ${JSON.stringify(wrong.slice(0, 5))}`);
}
