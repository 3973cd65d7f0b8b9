import { binomialUpperTail } from '../statistics/binomial.ts';
import { winsorised } from '../statistics/winsorising.ts';
import type { CaseSeries, Hypothesis } from './hypothesis.ts';

/** Of chance alone, as rare a lean to one side or the other is none. */
const ONE_SIDED = 0.025;

/**
 * The hypotheses with the rounds of each case that lie far outside of its others pulled in, up to a round: a duet in which a neighbour took
 * the CPU from one side tells of the neighbour, and neighbours do not choose. Where all rounds of a metric that lie outside do so on one
 * side, or so many more that chance is no explanation (a sign test), they stay as they are: they may be what one of the versions does.
 */
export function withSpoiltPulledIn(hypotheses: readonly Hypothesis[], upToRound: number): Hypothesis[] {
  const known = new Map<string, Map<CaseSeries, CaseSeries>>();
  for (const { metric, groups } of hypotheses) {
    const ofMetric = known.get(metric) ?? new Map<CaseSeries, CaseSeries>();
    known.set(metric, ofMetric);
    for (const own of groups.flat()) if (!ofMetric.has(own)) ofMetric.set(own, pulledIn(own, upToRound));
  }
  for (const [metric, ofMetric] of known) if (leansToOneSide(ofMetric)) known.delete(metric);
  return hypotheses.map((hypothesis) => {
    const ofMetric = known.get(hypothesis.metric);
    if (ofMetric === undefined) return hypothesis;
    return { ...hypothesis, groups: hypothesis.groups.map((group) => group.map((own) => ofMetric.get(own)!)) };
  });
}

function pulledIn(own: CaseSeries, upToRound: number): CaseSeries {
  const rounds = own.values.filter(({ round, value }) => round <= upToRound && Number.isFinite(value));
  const { values, pulledIn: count } = winsorised(rounds.map(({ value }) => value));
  if (count === 0) return own;
  return { ...own, values: rounds.map(({ round }, index) => ({ round, value: values[index]! })) };
}

/** Each round once, by where most of what was pulled in lay: cases of a round have the same starts. */
function leansToOneSide(all: ReadonlyMap<CaseSeries, CaseSeries>): boolean {
  const byRound = new Map<number, number>();
  for (const [own, pulled] of all) {
    if (own === pulled) continue;
    const measured = new Map(own.values.map(({ round, value }) => [round, value]));
    for (const { round, value } of pulled.values) {
      byRound.set(round, (byRound.get(round) ?? 0) + Math.sign(measured.get(round)! - value));
    }
  }
  const [above, below] = [1, -1].map((side) => [...byRound.values()].filter((sum) => side * sum > 0).length);
  const [fewer, more] = [Math.min(above!, below!), Math.max(above!, below!)];
  return fewer === 0 || binomialUpperTail(more, fewer + more, 0.5) < ONE_SIDED;
}
