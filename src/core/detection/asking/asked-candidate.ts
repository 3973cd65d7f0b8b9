import type { GoodAnswer, WayOut } from './answers.ts';
import type { EndpointCandidate } from './endpoint-candidate.ts';

/** A candidate with what came of asking for it twice. */
export interface AskedCandidate {
  candidate: EndpointCandidate;
  outcome: GoodAnswer | WayOut;
  /** Whether the database was asked for it; null where nobody knows. */
  usesDatabase: boolean | null;
}

export interface KeptCandidate extends AskedCandidate {
  outcome: GoodAnswer;
}
