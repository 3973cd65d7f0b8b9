import { capacityText, LIMIT_WORDS, limitsText } from '../../capacity/result.ts';
import { absent, counted, failureShare, grouped, latency, throughput } from '../../format/figures.ts';
import type { RunRecord, SearchRecord } from '../../record/run-record.ts';
import { type Block, left, type Row, right, type Section, withCode } from '../document.ts';
import type { ReportView } from '../view.ts';

/** What each service holds: the highest rate, or the most connections. */
export function capacity({ record }: ReportView): Section | null {
  const searches = record.searches ?? [];
  if (searches.length === 0) return null;
  const [first] = searches;
  const text =
    `${foundBy(first!)}, found by bisection from ${rangeText(record)}. A level counts as held ${limitsText(first!)}` +
    `${first!.find === 'rate' ? ' and with 99 % of the requests sent and answered' : ''}. The interval is from the highest level ` +
    'that held to the lowest that did not; each of the two had at least two of three tries on its side.';
  const unit = first!.find === 'rate' ? 'requests/s' : 'connections';
  const columns = [
    left('Service'),
    left('Endpoint'),
    right(`Held, ${unit}`),
    right(`Not held, ${unit}`),
    left('Limit'),
  ];
  const table = { label: 'Capacity', columns: [...columns, right('Tries')], rows: searches.map(searchRow) };
  const blocks: Block[] = [
    { kind: 'paragraph', text },
    { kind: 'table', table },
    { kind: 'list', items: searches.flatMap(capacitySentences).map(withCode) },
    { kind: 'details', summary: 'Every try', blocks: searches.flatMap(triesOf) },
  ];
  return { id: 'capacity', title: 'Capacity', blocks };
}

function foundBy({ find, generator, connections }: SearchRecord): string {
  return find === 'rate'
    ? `The highest rate that each service holds, sent by ${generator} over ${counted(connections ?? 0, 'connection')}`
    : `The most connections that each service holds, each of which ${generator} asks again when it is answered`;
}

function rangeText({ spec: { search } }: RunRecord): string {
  return search === undefined ? 'the levels below' : `${grouped(search.from)} to ${grouped(search.to)}`;
}

function searchRow(search: SearchRecord): Row {
  const { service, endpoint, held, failed, why, lost, probes, isComplete } = search;
  const limit = why !== null ? LIMIT_WORDS[why] : lost !== null || !isComplete ? 'not finished' : 'none found';
  const cells = [level(held), level(failed), limit, grouped(probes.length)];
  return { tone: held === null && failed === null ? 'invalid' : 'plain', cells: [service, endpoint, ...cells] };
}

/** What a search found, and why no more. */
export function capacitySentences(search: SearchRecord): string[] {
  const { service, endpoint, message, lost, isContradictory, failed } = search;
  const why = message === null || failed === null ? '' : ` (at ${grouped(failed)}: ${message.replace(/\.$/, '')})`;
  const found = `${service}, ${endpoint}: ${capacityText(search, search)}${why}.`;
  const contradiction = `${service}, ${endpoint}: a higher level held and a lower one did not; the interval holds both.`;
  const failures = search.probes.filter(({ held }) => !held);
  const disturbed = failures.filter(({ isDisturbed }) => isDisturbed).length;
  const quiet = `${service}, ${endpoint}: other processes took CPU time in ${disturbed} of the ${counted(failures.length, 'try', 'tries')} that did not hold; it may hold more on a quiet machine.`;
  return [
    found,
    ...(disturbed === 0 ? [] : [quiet]),
    ...(isContradictory ? [contradiction] : []),
    ...(lost === null ? [] : [`${service}, ${endpoint}: the search ended early: ${lost.message}`]),
  ];
}

function triesOf({ service, endpoint, probes, find }: SearchRecord): Block[] {
  if (probes.length === 0) return [];
  const title = find === 'rate' ? 'Requests/s asked for' : 'Connections';
  const columns = [right(title), right('Answered, requests/s'), right('p99'), right('Errors'), left('Result')];
  const rows = probes.map(({ level: asked, held, why, throughput: answered, p99Ms, errorShare }): Row => {
    const figures = [
      answered === null ? absent : throughput(answered),
      p99Ms === null ? absent : latency(p99Ms),
      errorShare === null ? absent : failureShare(errorShare),
    ];
    return {
      tone: 'plain',
      cells: [grouped(asked), ...figures, held ? 'held' : why === null ? 'not held' : LIMIT_WORDS[why]],
    };
  });
  return [
    { kind: 'caption', text: `${service}, ${endpoint}:` },
    { kind: 'table', table: { label: `Tries of ${service}, ${endpoint}`, columns, rows } },
  ];
}

function level(value: number | null): string {
  return value === null ? absent : grouped(value);
}
