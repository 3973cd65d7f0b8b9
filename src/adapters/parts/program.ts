import { TestbedError } from '../../app/ports/testbed.ts';
import { PlaceholderError } from '../../core/config/placeholders.ts';
import type { PartPlace, PartPlan, PartProgram } from '../../core/topology/part-plan.ts';

/** What a part is started by where it stands. Throws `TestbedError` 'start-failed' where the spec's text cannot be filled in. */
export function programOf(plan: Pick<PartPlan, 'title' | 'programAt'>, place: PartPlace): PartProgram {
  try {
    return plan.programAt(place);
  } catch (error) {
    if (!(error instanceof PlaceholderError)) throw error;
    const whose = `${plan.title.charAt(0).toLowerCase()}${plan.title.slice(1)}`;
    throw new TestbedError('start-failed', `The environment of ${whose} cannot be filled in: ${error.message}.`);
  }
}
