import { cpuTime, throughput } from '../format/figures.ts';
import { DATA_FOLDER } from '../publication/place.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { hasFigures } from '../report/comparison/measured.ts';
import { metricOf, viewOf } from '../report/view.ts';
import { latencyFigure } from '../report/wording.ts';
import { type Badge, badgeSvg } from './badge-svg.ts';
import type { SiteFile } from './site-files.ts';

/** White letters are legible on each of them. */
const COLOURS = { good: '#1a7f37', bad: '#b3261e', plain: '#0969da', quiet: '#59636e' };

/**
 * `SPEC/badges/NAME.svg` and `NAME.json` of a run, `passed` being what it came to. `kept` are those that there are and that show an
 * earlier run: one that has no figure leaves them, but for the verdict where it failed.
 */
export function badgeFiles(record: RunRecord, passed: boolean | null, kept: readonly string[] = []): SiteFile[] {
  const folder = `${DATA_FOLDER}/${record.spec.name}/badges`;
  const stays = ({ name }: Badge) =>
    !hasFigures(record) && (name !== 'verdict' || passed !== false) && kept.includes(`${folder}/${name}.svg`);
  const shown = badgesOf(record, passed).filter((badge) => !stays(badge));
  return shown.flatMap((badge) => [
    { path: `${folder}/${badge.name}.svg`, content: badgeSvg(badge) },
    { path: `${folder}/${badge.name}.json`, content: endpointJson(badge) },
  ]);
}

/**
 * One figure has to stand for a run: that of its main cases, which are the first service's of the spec, and of its endpoints the
 * first one's that was measured. A figure that was not measured is none, and its badge says so.
 */
export function badgesOf(record: RunRecord, passed: boolean | null): Badge[] {
  const spec = record.spec.name;
  const main = mainCases(record);
  const fastest = most(main.closed, 'throughput');
  // Under saturation a latency is that of a queue: at a fixed rate it says more.
  const paced = most(main.paced, 'latency-p99') ?? fastest;
  const figure = (
    name: string,
    label: string,
    from: CaseRecord | null,
    metric: string,
    text: (value: number) => string,
  ) => {
    const value = from === null ? null : metricOf(from, metric);
    const message = value === null ? 'not measured' : text(value);
    const of = value === null || from === null ? '' : ` (${from.key})`;
    const colour = value === null ? COLOURS.quiet : COLOURS.plain;
    return { name, label, message, colour, title: `${spec}: ${label} ${message}${of}` };
  };
  return [
    verdictBadge(spec, passed),
    figure('throughput', 'throughput', fastest, 'throughput', (value) => `${throughput(value)} req/s`),
    figure('cpu-per-request', 'CPU per request', fastest, 'cpu-per-request', cpuTime),
    figure('p99', 'p99 latency', paced, 'latency-p99', (value) => latencyFigure(paced!.generator, value)),
  ];
}

function verdictBadge(spec: string, passed: boolean | null): Badge {
  const message = passed === null ? 'measured' : passed ? 'passed' : 'failed';
  const colour = passed === null ? COLOURS.quiet : passed ? COLOURS.good : COLOURS.bad;
  const title = passed === null ? `${spec}: measured, and compared with nothing` : `${spec}: benchmark ${message}`;
  return { name: 'verdict', label: 'benchmark', message, colour, title };
}

function mainCases(record: RunRecord): { closed: CaseRecord[]; paced: CaseRecord[] } {
  const service = record.spec.services.find(({ role }) => role !== 'reference')?.name;
  const tests = viewOf(record).tests.map((test) => ({
    ...test,
    cases: test.entries.flatMap(({ valid, label, record: own }) => (valid && label === service ? [own] : [])),
  }));
  const endpoint = tests.find(({ cases }) => cases.length > 0)?.endpoint;
  const own = tests.filter((test) => test.endpoint === endpoint);
  const casesOf = (isPaced: boolean) =>
    own.filter(({ openModel }) => openModel === isPaced).flatMap(({ cases }) => cases);
  return { closed: casesOf(false), paced: casesOf(true) };
}

/** The case with the highest throughput of those that have a metric; null where none has it. */
function most(cases: readonly CaseRecord[], metric: string): CaseRecord | null {
  const [first] = cases
    .filter((each) => metricOf(each, metric) !== null)
    .sort((one, other) => (metricOf(other, 'throughput') ?? 0) - (metricOf(one, 'throughput') ?? 0));
  return first ?? null;
}

/** https://shields.io/badges/endpoint-badge */
function endpointJson({ label, message, colour }: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: colour })}\n`;
}
