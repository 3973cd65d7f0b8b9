import type { Case } from '../config/case.ts';
import type { Endpoint } from '../config/resolved.ts';
import type { TrialMeasurement, UnloadedPass } from '../measurement/measurement.ts';

/** The trial, its case, and the checked answers of its endpoint where there were any. */
export interface Evidence {
  trial: TrialMeasurement;
  case: Case;
  pass: UnloadedPass | null;
  /** Other endpoints of the spec that change data of the same service; absent where that is not known. */
  writers?: readonly Endpoint[];
}
