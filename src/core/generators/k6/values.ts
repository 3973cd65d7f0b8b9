import { figure, scaled } from '../figures.ts';

/**
 * A tick or a cross, whatever a console has made of it: ✓ is three bytes in UTF-8, which others show as up to three characters
 * of their own, as those that cannot be shown, or as question marks.
 */
export const MARK = String.raw`(?:[^\s!-~]{1,3}|\?{1,3})`;
const RATE = new RegExp(String.raw`^[\d.]+% +(?:(\d+) out of (\d+)|${MARK} (\d+) +${MARK} (\d+))$`);

/**
 *     1001   500.124822/s                134 kB 67 kB/s              10   min=10   max=10
 *     0.00%  0 out of 1001               0.00%  ✓ 0    ✗ 1001        avg=373.68µs min=0s p(90)=445.51µs count=1001
 */
export function valuesOf(text: string): Record<string, number | undefined> {
  const rate = RATE.exec(text);
  if (rate !== null) {
    const [, trues, all, ticks, crosses] = rate;
    if (trues !== undefined) return { trues: figure(trues), falses: figure(Number(all) - Number(trues)) };
    return { trues: figure(ticks), falses: figure(crosses) };
  }
  const counter = /^(\d+) +(\d+(?:\.\d+)?)\/s$/.exec(text);
  if (counter !== null) return { count: figure(counter[1]), rate: figure(counter[2]) };
  const data = /^(\d+(?:\.\d+)?) ([kMGTP]?B) +(\d+(?:\.\d+)?) ([kMGTP]?B)\/s$/.exec(text);
  if (data !== null) return { count: bytes(data[1]!, data[2]!), rate: bytes(data[3]!, data[4]!) };
  const named = Array.from(text.matchAll(/(?<![a-z])([a-z]+(?:\([\d.]+\))?)=(\S+)/g), ([, name = '', value = '']) => [
    name,
    durationMs(value) ?? figure(value),
  ]);
  return Object.fromEntries(named);
}

const POWERS: Record<string, number> = { B: 0, kB: 1, MB: 2, GB: 3, TB: 4, PB: 5 };

/** k6 prints amounts of data in steps of 1000. */
function bytes(decimal: string, unit: string): number {
  return Math.round(scaled(decimal, 1000 ** POWERS[unit]!));
}

/** The sign before `s` is the one that is not ASCII, so that whatever stands there instead is a µ. */
const SMALL = /^(\d+(?:\.\d+)?)(?:(ns)|(ms)|(?:u|[^\s!-~]{1,2}|\?{1,2})s)$/;

/** A duration as Go prints it (`5.92ms`, `1m2.5s`) in milliseconds; undefined where it is none. */
export function durationMs(text: string): number | undefined {
  const small = SMALL.exec(text);
  if (small !== null) {
    const [, value = '', ns, ms] = small;
    return scaled(value, 1, ms !== undefined ? 1 : ns !== undefined ? 1_000_000 : 1000);
  }
  const large = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text);
  if (large === null || text === '') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = large;
  return scaled(hours, 3_600_000) + scaled(minutes, 60_000) + scaled(seconds, 1000);
}
