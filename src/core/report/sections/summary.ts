import { absentServices } from '../../baseline/absent-services.ts';
import { counted, share, span, throughput } from '../../format/figures.ts';
import type { ServiceRecord } from '../../record/run-record.ts';
import { wasNotLoaded } from '../../validity/not-loadable.ts';
import { rankedTests, ranking } from '../analysis/ranking.ts';
import type { Block, Inline, Section } from '../document.ts';
import { unpairedBlocks } from '../unpaired.ts';
import { type Entry, metricOf, type ReportView, type Test } from '../view.ts';
import { latencyFigure, longTest } from '../wording.ts';

/** The one line that most people read: who is ahead, or what the only service can do, and whether all is well. */
export function headline(view: ReportView): Inline {
  const { record, cases } = view;
  const failed = record.services.filter(isFailed).map(({ service }) => service);
  if (cases.length === 0) {
    return failed.length > 0 ? `Nothing was measured: ${failed.join(', ')} failed.` : 'Nothing was measured.';
  }
  const parts: Inline[] = [...leader(view)];
  const notLoaded = cases.filter(wasNotLoaded).length;
  const invalid = cases.filter(({ status }) => status === 'invalid').length - notLoaded;
  if (notLoaded > 0) {
    const were = notLoaded === 1 ? 'was' : 'were';
    parts.push(
      `${counted(notLoaded, 'case')} of ${cases.length} ${were} not measured: beyond the limits of this machine.`,
    );
  }
  if (invalid > 0)
    parts.push(`${counted(invalid, 'case')} of ${cases.length} ${invalid === 1 ? 'is' : 'are'} invalid.`);
  if (failed.length > 0) parts.push(`Not measured: ${[...new Set(failed)].join(', ')}.`);
  const absent = absentServices(record).filter(({ variant }) => variant === 'candidate');
  if (absent.length > 0) parts.push(`Absent: ${absent.map(({ service }) => service).join(', ')}.`);
  if (record.interrupted !== null) parts.push('The run ended early.');
  if (parts.length === 0) parts.push(`${counted(cases.length, 'case')} measured.`);
  return parts.flatMap((part, index) => (index > 0 ? [' ', part] : [part]));
}

/** Not of a service that may be absent, and is. */
function isFailed({ failure, absent }: ServiceRecord): boolean {
  return failure !== null && absent !== true;
}

function leader(view: ReportView): Inline[] {
  for (const generator of view.generators) {
    const tests = rankedTests(view.tests.filter((test) => test.generator === generator));
    const ranked = ranking(tests);
    const first = ranked[0];
    if (first === undefined || first.rank === null) continue;
    if (ranked.length === 1) return only(tests);
    const best: Inline = { strong: first.label };
    if (tests.length === 1)
      return [[best, ` answers the most requests: ${throughput(first.throughput!)}/s with ${generator}.`]];
    if (first.wins === tests.length) {
      return [[best, ` answers the most requests in all ${tests.length} tests with ${generator}.`]];
    }
    return [
      [
        best,
        ` is ahead: fastest in ${first.wins} of ${tests.length} tests with ${generator}, on average ${share(first.score!)} of the best.`,
      ],
    ];
  }
  return [];
}

/** One service: the test in which it answered the most. */
function only(tests: Test[]): Inline[] {
  const all = tests.flatMap((test) => test.entries.filter(({ rank }) => rank === 1).map((entry) => ({ test, entry })));
  const perSecond = ({ entry }: { entry: Entry }) => metricOf(entry.record, 'throughput')!;
  const most = all.reduce((one, other) => (perSecond(other) > perSecond(one) ? other : one));
  const p99 = metricOf(most.entry.record, 'latency-p99');
  return [
    [
      { strong: most.entry.label },
      ` answers up to ${throughput(perSecond(most))} requests/s (${longTest(most.test)})`,
      p99 === null ? '.' : `, 99% of them within ${latencyFigure(most.test.generator, p99)}.`,
    ],
  ];
}

/** What the run was, in numbers, and what stands in the way of reading it. */
export function summary(view: ReportView): Section {
  const { record } = view;
  const references = record.spec.services.filter(({ role }) => role === 'reference').length;
  const text =
    `${counted(record.spec.services.length, 'service')}${references > 0 ? ` (${references} of them a reference)` : ''}, ` +
    `${counted(record.spec.endpoints.length, 'endpoint')}, ${counted(view.cases.length, 'case')}, ` +
    `measured in ${span(record.timing.wallSeconds)} with ${view.generators.join(' and ') || 'no generator'}.`;
  const blocks: Block[] = [...unpairedBlocks(record), { kind: 'paragraph', text }];
  if (record.interrupted !== null) {
    const { message } = record.interrupted;
    blocks.push({
      kind: 'warning',
      text: `The run ended early: ${message} What follows was measured before.`,
    });
  }
  return { id: 'summary', title: 'Summary', blocks: [...blocks, ...source(view)] };
}

function source({ record: { source: from } }: ReportView): Block[] {
  const parts: Inline[] = [];
  if (from.sha !== null)
    parts.push(['commit ', { code: /^[0-9a-f]{40,}$/.test(from.sha) ? from.sha.slice(0, 12) : from.sha }]);
  if (from.ref !== null) parts.push(['ref ', { code: from.ref }]);
  if (from.repository !== null) parts.push(['repository ', { code: from.repository }]);
  if (from.pullRequest !== null) parts.push(`pull request ${from.pullRequest}`);
  if (parts.length === 0) return [];
  const text = ['Measured: ', ...parts.flatMap((part, index) => (index > 0 ? [', ', part] : [part])), '.'];
  return [{ kind: 'paragraph', text }];
}
