import * as z from 'zod';
import { share, throughput } from '../format/figures.ts';
import { quoted } from '../format/quoted.ts';
import { percentage } from '../values/scalars.ts';
import { form, usual } from '../values/section.ts';
import { PERCENTAGE, perSecondOf, RATE, ratioOf } from '../values/units.ts';
import type { LoadProblem, OpenArrival, WrittenLoad } from './load.ts';

/** At a rate, or in a closed loop, which each generator has its own word for. */
export type Arrival<ClosedLoop extends string> = OpenArrival | { kind: ClosedLoop };

/** `rate`: a share of capacity, a rate, or the word for a closed loop. */
export function rateKey<ClosedLoop extends string>(closedLoop: ClosedLoop, description: string) {
  const phrase = `a share of capacity such as 60%, a rate such as 2000/s, or ${closedLoop}`;
  const arrival = form(
    z.union([percentage, z.string().regex(RATE, phrase), z.literal<string>(closedLoop, phrase)], phrase),
    (written) => arrivalOf(written, closedLoop),
    recordedArrival(closedLoop),
  );
  return usual(arrival, '60%', { as: 'arrival', description });
}

function arrivalOf<ClosedLoop extends string>(rate: string, closedLoop: ClosedLoop): Arrival<ClosedLoop> {
  if (rate === closedLoop) return { kind: closedLoop };
  if (PERCENTAGE.test(rate)) return { kind: 'share', shareOfCapacity: ratioOf(rate) };
  return { kind: 'rate', requestsPerSecond: perSecondOf(rate) };
}

/** null for a closed loop. */
export function openArrival(arrival: Arrival<string>): OpenArrival | null {
  return isOpen(arrival) ? arrival : null;
}

function recordedArrival(closedLoop: string) {
  return z.union([
    z.looseObject({ kind: z.literal('share'), shareOfCapacity: z.number() }),
    z.looseObject({ kind: z.literal('rate'), requestsPerSecond: z.number() }),
    z.looseObject({ kind: z.literal(closedLoop) }),
  ]);
}

/** `60%`, `2000ps`, `vus`, for a case's key: `/` would be taken for the border of two parts. */
export function rateInKey(arrival: Arrival<string>): string {
  if (!isOpen(arrival)) return arrival.kind;
  return arrival.kind === 'share' ? percent(arrival.shareOfCapacity) : `${arrival.requestsPerSecond}ps`;
}

/** `60% of capacity, 10 s` */
export function arrivalText(arrival: Arrival<string>, durationSeconds: number): string {
  const seconds = `${durationSeconds} s`;
  if (!isOpen(arrival)) return `closed loop, ${seconds}`;
  return arrival.kind === 'share'
    ? `${percent(arrival.shareOfCapacity)} of capacity, ${seconds}`
    : `${arrival.requestsPerSecond} req/s, ${seconds}`;
}

/** For the methodology; `closedLoop` is what follows `closed loop, `. */
export function drivenBy(arrival: Arrival<string>, closedLoop: string): string {
  if (!isOpen(arrival)) return `closed loop, ${closedLoop}`;
  return arrival.kind === 'share'
    ? `open model, requests sent at ${share(arrival.shareOfCapacity)} of what the service can answer`
    : `open model, ${throughput(arrival.requestsPerSecond)} requests/s`;
}

export function rateProblems(generator: string, load: WrittenLoad): LoadProblem[] {
  const rate = load.at('rate');
  if (typeof rate !== 'string') return [];
  const ratio = PERCENTAGE.test(rate) ? ratioOf(rate) : null;
  const perSecond = RATE.test(rate) ? Number.parseFloat(rate) : null;
  if ((ratio === null || (ratio > 0 && ratio <= 1)) && perSecond !== 0) return [];
  const expected = ratio === null ? 'more than 0/s' : 'more than 0% and at most 100%';
  return [
    {
      path: ['rate'],
      at: 'value',
      code: 'wrong-value',
      message: `load.${generator}.rate is ${quoted(rate)}: expected ${expected}`,
      found: rate,
      expected,
    },
  ];
}

function isOpen(arrival: Arrival<string>): arrival is OpenArrival {
  return arrival.kind === 'share' || arrival.kind === 'rate';
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(9))}%`;
}
