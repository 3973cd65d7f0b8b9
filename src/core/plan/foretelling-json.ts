import type { Limit, ResolvedSpec } from '../spec/resolved.ts';
import { DEVIATIONS_SOURCE } from './deviations.ts';
import { type Foretelling, isCompared } from './foretelling.ts';
import { beyondLimit, changeBeyond } from './foretold-change.ts';

/** What comparing takes and shows, for a program; null where nothing is measured side by side. */
export function foretellingJson(spec: ResolvedSpec, foretold: readonly Foretelling[]) {
  if (!isCompared(spec, foretold) || spec.gate.baseline === 'stored') return null;
  return {
    budgetSeconds: spec.gate.budgetSeconds,
    scatterFrom: DEVIATIONS_SOURCE,
    services: foretold.map((one) => ({
      service: one.service,
      pairing: one.pairing,
      budgetSeconds: one.budgetSeconds,
      instances: one.instances,
      secondsPerInstance: rounded(one.instance.seconds),
      pairsPerInstance: one.instance.pairsEach,
      duetSeconds: one.instance.lengths,
      changes: one.questions.map((question) => ({
        case: question.key,
        metric: question.metric.name,
        limit: question.limit,
        minimumDetectable: question.threshold === null ? null : rounded(changeBeyond(question)),
        beyondLimit: rounded(beyondLimit(question)),
        note: question.note,
      })),
      exact: one.exact.map(({ metric, limit }): { metric: string; limit: Limit } => ({ metric: metric.name, limit })),
    })),
  };
}

/** A forecast has no more than four digits to tell. */
function rounded<T extends number | null>(value: T): T {
  return (value === null ? null : Number(value.toPrecision(4))) as T;
}
