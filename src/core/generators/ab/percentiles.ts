import type { LatencyMs } from '../../measurement/outcome.ts';
import { percentileKey, positive } from '../figures.ts';

const SHOWN = [50, 75, 90, 95, 99];

/**
 * What ab's `-e` wrote: `Percentage served,Time in ms`, in thousandths of a millisecond where its text has whole ones.
 *
 * ab reads row p from place ⌊0.5 + requests × p ÷ 100⌋ of its sorted list, which for p = 99 and up to 50 requests lies
 * behind the end and gives whatever stands in memory there (`99,3328493621662206.000`). Such rows are left out.
 */
export function parseAbPercentiles(csv: string, requests: number): LatencyMs {
  const latency: LatencyMs = {};
  for (const [, percentile = '', value] of csv.matchAll(/^(\d{1,2}),(\d+\.\d{3})\r?\n/gm)) {
    const ms = positive(value);
    const place = Math.floor(0.5 + (requests * Number(percentile)) / 100);
    if (ms === undefined || place >= requests) continue;
    if (percentile === '0') latency.min = ms;
    if (SHOWN.includes(Number(percentile))) latency[percentileKey(percentile)] = ms;
  }
  return latency;
}
