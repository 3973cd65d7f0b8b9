import { counted } from '../format/figures.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { binomialUpperTail } from '../statistics/binomial.ts';
import { FAMILY_ERROR_RATE } from './decision.ts';
import { valuePairs } from './observations.ts';

/**
 * A sentence for each service whose candidate failed by itself in so many more pairs of trials than its baseline that a machine, which disturbs
 * either side alike, is no explanation: a sign test over all of its cases, since each shows only a few.
 */
export function oneSidedFailures({ cases, spec }: Pick<RunRecord, 'cases' | 'spec'>): string[] {
  return [...new Set(cases.map(({ service }) => service))].flatMap((service) => {
    const own = cases.filter((each) => each.service === service);
    const isErrorExpected = spec.services.find(({ name }) => name === service)?.errors !== undefined;
    return [
      ...sentence(service, ofRate(own), {
        what: 'the candidate was not sent its rate',
        other: 'the baseline was',
        advice: 'now and then its requests wait too long. Look at its p99, and at what it waits for',
      }),
      ...(isErrorExpected
        ? []
        : sentence(service, ofErrors(own), {
            what: 'requests to the candidate failed',
            other: 'none to the baseline did',
            advice: 'where that is meant, say so by `errors` of the service',
          })),
    ];
  });
}

const MODES = ['duet', 'solo'] as const;

/** In how many pairs of trials that side alone failed. */
interface Alone {
  baseline: number;
  candidate: number;
}

function sentence(
  service: string,
  { baseline, candidate }: Alone,
  { what, other, advice }: { what: string; other: string; advice: string },
): string[] {
  if (binomialUpperTail(candidate, baseline + candidate, 1 / 2) > FAMILY_ERROR_RATE) return [];
  const reverse = baseline === 0 ? 'never' : `in ${baseline}`;
  return [
    `\`${service}\`: ${what} in ${counted(candidate, 'pair')} of trials in which ${other}, and the other way round ${reverse}: ${advice}.`,
  ];
}

/** Of the pairs that were set aside. */
function ofRate(cases: readonly CaseRecord[]): Alone {
  const of = (variant: CaseRecord['variant']) =>
    cases.reduce((sum, each) => sum + (each.variant === variant ? (each.failedAlone ?? 0) : 0), 0);
  return { baseline: of('baseline'), candidate: of('candidate') };
}

/** Few enough for their cases to be valid: so few that one trial holds some, and another none, by its length alone. */
function ofErrors(cases: readonly CaseRecord[]): Alone {
  const alone: Alone = { baseline: 0, candidate: 0 };
  for (const candidate of cases.filter(({ variant }) => variant === 'candidate')) {
    const baseline = cases.find(({ variant, key }) => variant === 'baseline' && key === candidate.key);
    const sides = [baseline?.metrics.errors ?? null, candidate.metrics.errors ?? null] as const;
    for (const pair of valuePairs(...sides, { better: 'lower' }, { samples: MODES })) {
      if (pair.candidate > 0 && pair.baseline === 0) alone.candidate += 1;
      if (pair.baseline > 0 && pair.candidate === 0) alone.baseline += 1;
    }
  }
  return alone;
}
