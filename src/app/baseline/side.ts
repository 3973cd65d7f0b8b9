import { canonicalText } from '../../core/baseline/canonical.ts';
import { type BaselineSide, baselineSide } from '../../core/baseline/sides.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import type { BaselineRequest } from './baseline-plan.ts';

/**
 * What both specs come to. That the load is shorter than written (`--quick`, or beside an anchor) is this run's own doing
 * and no difference between the specs.
 */
export function sideOf({ spec, writtenLoad = spec.load }: BaselineRequest, baseline: ResolvedSpec): BaselineSide {
  const side = baselineSide(spec, baseline);
  if (canonicalText(writtenLoad) !== canonicalText(baseline.load)) return side;
  return { ...side, cautions: side.cautions.filter(({ code }) => code !== 'load-differs') };
}
