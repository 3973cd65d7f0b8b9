import { counted, grouped } from '../../../src/core/format/figures.ts';
import type { CaseRecord, RunRecord } from '../../../src/core/record/run-record.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { wasNotLoaded } from '../../../src/core/validity/not-loadable.ts';
import type { DocumentColumn, SuiteDocument } from './documents.ts';

/** What a suite's document says beside what was measured here. */
export interface Agreement {
  /** Services of which every case that the document speaks of is valid. */
  valid: string[];
  /** Spearman's rank correlation of each column; null with fewer than three services that both have. */
  ranks: (number | null)[];
  /** The block of the README between its marks. */
  block: string;
}

const FIGURES = /<!-- figures -->\n([\s\S]*?)<!-- \/figures -->/;
const MEASURED = /<!-- measured -->\n[\s\S]*?<!-- \/measured -->/;

/** Throws where the README has no table of the document's figures, or no place for ours. */
export function agreement(document: SuiteDocument, readme: string, record: RunRecord, isQuick: boolean): Agreement {
  const there = documentFigures(document, readme);
  const services = [...new Set(record.cases.map(({ service }) => service))];
  const here = new Map(
    services.map((service) => [service, document.columns.map((column) => caseOf(record, service, column))]),
  );
  const ranks = document.columns.map((_, at) => {
    const both = services.flatMap((service) => {
      const [own, told] = [throughputOf(here.get(service)![at]), there.get(service)?.[at] ?? null];
      return own === null || told === null ? [] : [[told, own] as const];
    });
    return both.length < 3 ? null : rankCorrelation(both);
  });
  const valid = services.filter((service) => isValid(here.get(service)!));
  return { valid, ranks, block: blockOf(document, record, { services, here, there, ranks, valid, isQuick }) };
}

/** What a short run leaves out counts neither way, nor what is beyond the machine: it says nothing of the service. */
function isValid(cases: readonly (CaseRecord | null)[]): boolean {
  const measured = cases.filter((each) => each !== null && !wasNotLoaded(each)) as CaseRecord[];
  return measured.length > 0 && measured.every(({ status }) => status === 'valid');
}

/** The README with the block in its place. Throws where it has no place for it. */
export function withBlock(readme: string, block: string): string {
  if (!MEASURED.test(readme)) throw new Error('The README has no `<!-- measured -->` and `<!-- /measured -->`.');
  return readme.replace(MEASURED, () => block);
}

/** Service → figure of each column, null where the document has none. */
function documentFigures({ suite, columns }: SuiteDocument, readme: string): Map<string, (number | null)[]> {
  const table = FIGURES.exec(readme)?.[1];
  if (table === undefined)
    throw new Error(`The README of ${suite} has no table between \`<!-- figures -->\` and its end.`);
  const [head, , ...rows] = table.trim().split('\n').map(cellsOf);
  let from = 0;
  const places = columns.map(({ title }) => {
    const place = head!.indexOf(title, from);
    if (place === -1) throw new Error(`The table of ${suite} has no column "${title}".`);
    from = place + 1;
    return place;
  });
  return new Map(rows.map((row) => [row[0]!.replaceAll('`', ''), places.map((place) => numberIn(row[place]!))]));
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** `13,118.38, 3652 timeouts` is 13118.38. */
function numberIn(cell: string): number | null {
  const digits = /^[\d,]*\d(?:\.\d+)?/.exec(cell)?.[0];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}

function caseOf({ cases }: RunRecord, own: string, column: DocumentColumn): CaseRecord | null {
  const { endpoint, keepAlive, connections } = column;
  return (
    cases.find(
      (each) =>
        each.service === own &&
        each.route === 'direct' &&
        (endpoint === undefined || each.endpoint === endpoint) &&
        (keepAlive === undefined || each.keepAlive === keepAlive) &&
        (connections === undefined || each.connections === connections),
    ) ?? null
  );
}

function throughputOf(measured: CaseRecord | null | undefined): number | null {
  return measured?.status === 'valid' ? (measured.metrics.throughput?.value ?? null) : null;
}

/** Spearman's: Pearson's of the ranks, equal values sharing theirs. */
export function rankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const [one, other] = [ranksOf(pairs.map(([a]) => a)), ranksOf(pairs.map(([, b]) => b))];
  const [middle, otherMiddle] = [mean(one), mean(other)];
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  const together = sum(one.map((each, at) => (each - middle) * (other[at]! - otherMiddle)));
  const spread = (ranks: readonly number[], of: number) => sum(ranks.map((each) => (each - of) ** 2));
  return together / Math.sqrt(spread(one, middle) * spread(other, otherMiddle));
}

function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((each) => each < value).length;
    const equal = values.filter((each) => each === value).length;
    return below + (equal + 1) / 2;
  });
}

interface Found {
  services: readonly string[];
  here: ReadonlyMap<string, readonly (CaseRecord | null)[]>;
  there: ReadonlyMap<string, readonly (number | null)[]>;
  ranks: readonly (number | null)[];
  valid: readonly string[];
  isQuick: boolean;
}

function blockOf({ against, columns }: SuiteDocument, record: RunRecord, found: Found): string {
  const { services, here, there, ranks, valid, isQuick } = found;
  const { environment: machine } = record;
  const base = columns.map(
    (_, at) => [throughputOf(here.get(against)?.[at]), there.get(against)?.[at] ?? null] as const,
  );
  const rows = services.map((service) => {
    const cells = columns.map((_, at) => {
      const measured = here.get(service)![at] ?? null;
      if (measured === null) return 'not measured';
      if (wasNotLoaded(measured)) return 'beyond this machine';
      const own = throughputOf(measured);
      if (own === null) return 'invalid';
      const told = there.get(service)?.[at] ?? null;
      const [ownBase, toldBase] = base[at]!;
      const ratio = ownBase === null ? '' : ` · ${(own / ownBase).toFixed(2)}x`;
      return `${grouped(Math.round(own))}${ratio}${told === null || toldBase === null ? '' : ` (${(told / toldBase).toFixed(2)}x)`}`;
    });
    return `| \`${service}\` | ${cells.join(' | ')} |`;
  });
  const titles = columns.map(({ title }) => title.replace(/ there$/, ''));
  const ranked = ranks.flatMap((rank, at) =>
    rank === null ? [] : [columns.length === 1 ? rank.toFixed(2) : `${rank.toFixed(2)} (column ${at + 1})`],
  );
  return [
    '<!-- measured -->',
    `Here: ${valid.length} of ${counted(services.length, 'service')} valid, ${isQuick ? 'with `--quick`, ' : ''}${machine.cpuCount} CPUs (${machine.cpuModel}), Linux ${machine.kernel.replace(/^Linux /, '')}, ${record.startedAt.slice(0, 10)}: [run.json](results/run.json), [report](results/report.md). Requests per second · ratio to \`${against}\` (the document's ratio).`,
    '',
    `| service | ${titles.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(columns.length)}`,
    ...rows,
    '',
    ranked.length === 0
      ? 'Fewer than three services are in both, so that ranks say nothing.'
      : `Rank correlation with the document (Spearman's): ${ranked.join(', ')}.`,
    ...invalidLines(record, services),
    ...beyondLine(record),
    '<!-- /measured -->',
  ].join('\n');
}

/** Why what is invalid is, each reason once. */
function invalidLines({ cases }: RunRecord, services: readonly string[]): string[] {
  const lines = services.flatMap((service) => {
    const invalid = cases.filter(
      (each) => each.service === service && each.status === 'invalid' && !wasNotLoaded(each),
    );
    const first = invalid[0]?.reasons[0]?.message;
    return first === undefined ? [] : [`- \`${service}\`, ${counted(invalid.length, 'case')}: ${first}`];
  });
  return lines.length === 0 ? [] : ['', 'Invalid:', '', ...lines];
}

/** One line for all that the machine could not load. */
function beyondLine({ cases }: RunRecord): string[] {
  const left = cases.filter(wasNotLoaded);
  const first = left[0]?.reasons[0]?.message;
  return first === undefined ? [] : ['', `Left out, ${counted(left.length, 'case')}: ${first}`];
}
