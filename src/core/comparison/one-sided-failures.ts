import { counted } from '../format/figures.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { binomialUpperTail } from '../statistics/binomial.ts';
import { FAMILY_ERROR_RATE } from './decision.ts';

/**
 * A sentence for each service whose candidate failed by itself in duets that were set aside, so much oftener than its baseline that a
 * machine, which disturbs either side alike, is no explanation: a sign test over all of its cases, since each loses only a few.
 */
export function oneSidedFailures(cases: readonly CaseRecord[]): string[] {
  return [...new Set(cases.map(({ service }) => service))].flatMap((service) => {
    const own = cases.filter((each) => each.service === service);
    const [baseline, candidate] = (['baseline', 'candidate'] as const).map((variant) =>
      own.reduce((sum, each) => sum + (each.variant === variant ? (each.failedAlone ?? 0) : 0), 0),
    ) as [number, number];
    if (binomialUpperTail(candidate, baseline + candidate, 1 / 2) > FAMILY_ERROR_RATE) return [];
    const other = baseline === 0 ? 'never' : `in ${baseline}`;
    return [
      `\`${service}\`: the candidate was not sent its rate in ${counted(candidate, 'duet')} in which the baseline was, and the other way round ${other}: now and then its requests wait too long. Look at its p99 and at what it waits for.`,
    ];
  });
}
