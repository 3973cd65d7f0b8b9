import { counted, throughput } from '../../core/format/figures.ts';
import { visible } from '../../core/format/text.ts';
import type { SeriesCase } from '../../core/publication/manifest.ts';

/** What tells a case from others: `go`, `ping`, `wrk`, `keep-alive on`, `100 connections at 60%`. Of another tool's, its names alone. */
function caseParts({ key, service, endpoint, load }: SeriesCase): string[] {
  if (load === null) return [service, endpoint].filter((part) => part !== '').map(visible);
  const { route, generator, keepAlive, connections, rate } = load;
  const asked = arrivalIn(key) ?? (rate === null ? null : `${throughput(rate)}/s`);
  const isClosedLoop = asked !== null && !/^\d/.test(asked);
  return [
    visible(service),
    visible(endpoint),
    ...(route === 'gateway' ? ['through the gateway'] : []),
    generator,
    `keep-alive ${keepAlive ? 'on' : 'off'}`,
    `${counted(connections, 'connection')}${asked === null ? '' : isClosedLoop ? ', closed loop' : ` at ${visible(asked)}`}`,
  ];
}

/**
 * `60%` of `go/ping/direct/k6/keep-alive/100@60%`: the rate as it was asked for, a share of the capacity or requests per second, or a word
 * for a closed loop. Null where the key has none.
 */
export function arrivalIn(key: string): string | null {
  return /@([^/@]+)$/.exec(key)?.[1] ?? null;
}

/** `go · ping · wrk · keep-alive on · 100 connections` */
export function caseTitle(entry: SeriesCase): string {
  return caseParts(entry).join(' · ');
}

/** Titles of several, without what all of them have in common; in full where that would leave nothing. */
export function shortTitles(entries: readonly SeriesCase[]): string[] {
  const all = entries.map(caseParts);
  const inCommon = (part: string) => all.length > 1 && all.every((parts) => parts.includes(part));
  return all.map((parts) => {
    const own = parts.filter((part) => !inCommon(part));
    return (own.length === 0 ? parts : own).join(' · ');
  });
}
