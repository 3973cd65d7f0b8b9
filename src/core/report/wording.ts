import { counted, grouped, latency, throughput } from '../format/figures.ts';
import type { GeneratorName } from '../generators/registry.ts';
import { generators } from '../generators/registry.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { wasNotLoaded } from '../validity/not-loadable.ts';
import type { Entry, Test } from './view.ts';

/** The sentences and labels that more than one section uses. */

/** `ping (GET /ping)` */
export function endpointTitle({ endpoint, request }: Test): string {
  return request === null ? endpoint : `${endpoint} (${request})`;
}

/** `keep-alive on`, `keep-alive off, through the gateway` */
export function modeOf({ keepAlive, route }: Pick<Test, 'keepAlive' | 'route'>): string {
  return `keep-alive ${keepAlive ? 'on' : 'off'}${route === 'gateway' ? ', through the gateway' : ''}`;
}

/** Within one endpoint and one generator: `keep-alive on · 100 connections`, `keep-alive off · gateway · 100 connections at 60%`. */
export function shortTest(test: Test): string {
  return testText(test, counted(test.connections, 'connection'), ' at ');
}

/** The same where there is no room: `keep-alive on · 100 @ 60%`. */
export function shortestTest(test: Test): string {
  return testText(test, grouped(test.connections), ' @ ');
}

function testText({ keepAlive, route, load }: Test, connections: string, at: string): string {
  const parts = [`keep-alive ${keepAlive ? 'on' : 'off'}`, ...(route === 'gateway' ? ['gateway'] : []), connections];
  return `${parts.join(' · ')}${load === '' ? '' : `${at}${load}`}`;
}

/** Within a whole report: `ping · wrk · keep-alive on · 100 connections`. */
export function longTest(test: Test): string {
  return `${test.endpoint} · ${test.generator} · ${shortTest(test)}`;
}

/** `4 threads / 100 connections`, `100 connections at 60% of capacity`, `100 connections at 2,000 requests/s`. */
export function loadTitle({ connections, load, threads }: Test): string {
  const open = counted(connections, 'connection');
  if (load.endsWith('%')) return `${open} at ${load} of capacity`;
  if (load.endsWith('/s')) return `${open} at ${throughput(Number(load.slice(0, -2)))} requests/s`;
  return threads === null ? open : `${counted(threads, 'thread')} / ${open}`;
}

/** `4,200/s`: what k6 sent where it could not send the share of the capacity that was asked of it; null else. */
export function cappedRate({ warnings, rate }: Pick<CaseRecord, 'warnings' | 'rate'>): string | null {
  return rate !== null && warnings.some(({ code }) => code === 'rate-capped') ? `${throughput(rate)}/s` : null;
}

/** Within one endpoint and one generator, of a case by itself: `keep-alive on · 100 connections at 4,200/s, not 60%`. */
export function shortCase(test: Test, { record }: Entry): string {
  const rate = cappedRate(record);
  return shortTest(rate === null || test.load === '' ? test : { ...test, load: `${rate}, not ${test.load}` });
}

/** What is to be known of a case, after its name: ` (reference)`, ` (invalid) †`, ` (not measured)`. Why has sentences of its own. */
export function caseNotes({ reference, valid, record, warnings }: Entry): string {
  const mark = warnings.length > 0 ? ' †' : '';
  if (valid) return `${reference ? ' (reference)' : ''}${mark}`;
  if (wasNotLoaded(record)) return ` (${reference ? 'reference, ' : ''}not measured)${mark}`;
  return ` (${reference ? 'reference, ' : ''}invalid)${mark}`;
}

/** `nginx (reference)`, `python (invalid)`, `go †`, `go, at 4,200/s †` */
export function entryTitle(entry: Entry): string {
  return `${entry.label}${atRate(entry)}${caseNotes(entry)}`;
}

/** `, at 4,200/s` after a service's name, where the test says that a share of the capacity was asked for; else empty. */
export function atRate({ record }: Entry): string {
  const rate = cappedRate(record);
  return rate === null ? '' : `, at ${rate}`;
}

export function latencyFigure(generator: GeneratorName, milliseconds: number): string {
  const isWhole = generators[generator].wholeMilliseconds && Number.isInteger(milliseconds);
  return isWhole ? `${grouped(milliseconds)} ms` : latency(milliseconds);
}

/** Before the sentence of a warning: `In 1 case`, `In all 16 cases, for example`. */
export function casesWarned(cases: number, all: number): string {
  const which = cases > 1 && cases === all ? 'all ' : '';
  return `In ${which}${counted(cases, 'case')}${cases > 1 ? ', for example' : ''}`;
}
