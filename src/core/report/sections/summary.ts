import { absentServices } from '../../baseline/absent-services.ts';
import { counted, share, span, throughput } from '../../format/figures.ts';
import { ownedSentence } from '../../format/owner.ts';
import { ended } from '../../format/sentence.ts';
import type { ServiceRecord } from '../../record/run-record.ts';
import { wasNotLoaded } from '../../validity/not-loadable.ts';
import { rankedTests, ranking } from '../analysis/ranking.ts';
import { beyondSaid, saidWhole } from '../beyond.ts';
import { reasonInShort } from '../comparison/deciding-line.ts';
import { failureEvent } from '../comparison/failure-event.ts';
import type { Block, Inline, Section } from '../document.ts';
import { unpairedBlocks } from '../unpaired.ts';
import { type Entry, metricOf, type ReportView, type Test } from '../view.ts';
import { latencyFigure, longTest } from '../wording.ts';

/** The one line that most people read: who is ahead, or what the only service can do, and whether all is well. */
export function headline(view: ReportView): Inline {
  const { record, cases } = view;
  const failed = failuresSaid(record.services.filter(isFailed));
  const beyond = beyondSaid(record);
  if (cases.length === 0) {
    if (failed === null && beyond !== null) return ['Nothing was measured. ', saidWhole(beyond)];
    return failed === null ? 'Nothing was measured.' : `Nothing was measured: ${failed}`;
  }
  const parts: Inline[] = [...leader(view), ...(failed === null ? [] : [`Not measured: ${failed}`])];
  const notLoaded = cases.filter(wasNotLoaded).length;
  const invalid = cases.filter(({ status }) => status === 'invalid').length - notLoaded;
  if (notLoaded > 0) {
    const were = notLoaded === 1 ? 'was' : 'were';
    parts.push(
      `${counted(notLoaded, 'case')} of ${cases.length} ${were} not measured: beyond the limits of this machine.`,
    );
  }
  if (beyond !== null && record.comparing === undefined) parts.push(saidWhole(beyond));
  if (invalid > 0)
    parts.push(`${counted(invalid, 'case')} of ${cases.length} ${invalid === 1 ? 'is' : 'are'} invalid.`);
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

/** What befell the only one, or each in a few words; null where none failed. A comparison has said of its baseline why. */
function failuresSaid(failed: readonly ServiceRecord[]): string | null {
  const said = failed.map(({ service, variant, failure }) => {
    const side = variant === 'baseline' ? 'baseline: ' : '';
    const message = `${side}${ownedSentence(service, failure!.message)}`;
    if (failed.length === 1 && side === '') return reasonInShort(message);
    return failureEvent(message.split(/\r?\n/, 1)[0]!)?.what ?? `${side}${service}`;
  });
  return said.length === 0 ? null : ended([...new Set(said)].join(', '));
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
