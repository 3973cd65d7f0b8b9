import type { Limit } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';

/** `comparison.json`: baseline against candidate, per case and metric. `schema.ts` checks it. */
export interface Comparison {
  schemaVersion: 1;
  /** `duet`: both loaded at the same time. `interleaved`: in turn, trial by trial. `stored`: against numbers of past runs. */
  mode: ComparisonMode;
  baseline: ComparedSide;
  candidate: ComparedSide;
  /** Error rate, one-sided, over the whole matrix: 0.005 is 0.5 %. */
  familyErrorRate: number;
  /** Sentences on what this comparison cannot tell, and on how the baseline was had where that is not the best way. */
  warnings: Reason[];
  /** Why nothing was measured, where both sides are the same; null else. */
  skipped: Reason | null;
  cases: CaseComparison[];
  /**
   * What is judged of endpoints, over all of their cases with the same limit, of which there are two at least: as a case, with
   * the key `SERVICE/ENDPOINT/*`, or `SERVICE/ENDPOINT/*@LIMIT` each where limits differ. A metric that one case alone has is
   * judged there.
   */
  endpoints: CaseComparison[];
  /** The same of services, over their endpoints: `SERVICE/*`, with the endpoint `*`. */
  services: CaseComparison[];
  gate: GateResult;
  /** The same candidate against a fixed release, where the gate names one; it does not gate. */
  anchor?: Comparison;
}

export type ComparisonMode = 'duet' | 'interleaved' | 'stored';

export interface ComparedSide {
  /** Of the run record that the numbers are from. */
  id: string;
  sha: string | null;
  /** Service → image id or digest, or a process's command line. */
  images: Record<string, string>;
  /** Service → how many builds of it were compared; only of those with several. */
  builds?: Record<string, number>;
  /** How it was had, for a reader: `commit 3f2c1ab (merge-base with main), built in this run`. */
  origin: string;
}

export interface CaseComparison {
  key: string;
  service: string;
  endpoint: string;
  /** `measured` on both sides; `new`: only the candidate has it; `missing`: only the baseline has it. */
  presence: 'both' | 'new' | 'missing';
  /** Why the case cannot be judged (either side is invalid, or it is missing); empty where it can. */
  reasons: Reason[];
  metrics: Record<string, MetricComparison>;
  /** Where the extra cost went; only for a case with a regression. */
  explanation: Explanation | null;
}

export interface MetricComparison {
  unit: string;
  better: 'higher' | 'lower';
  /** Published figures (alone where there are any); null where that side lacks the metric. */
  baseline: number | null;
  candidate: number | null;
  /** candidate - baseline, in the metric's unit. */
  difference: number | null;
  /** candidate/baseline - 1, from the pairs; null where the baseline is 0 (then `difference` counts) or nothing is paired. */
  change: number | null;
  /** Marginal interval of `change` at `confidence`, two-sided; null with fewer than two rounds, or where exact. */
  interval: [number, number] | null;
  /** What the gate uses: corrected for the whole matrix and for looking often; each end at its own one-sided level. */
  adjusted: [number, number] | null;
  /** Of `interval`: 0.99. */
  confidence: number;
  /** The smallest change that these data would have shown in nine of ten cases, as a share; null where exact or unknown. */
  minimumDetectable: number | null;
  direction: 'better' | 'worse' | 'unclear';
  /** Null: shown, not gated; or open for this case by itself, and judged in `endpoints` or `services`. */
  verdict: Verdict | null;
  /**
   * In the bad direction; null where not gated by a change. A ratio of 0.03 is 3 %. `down`: of a count that must not fall
   * either, and did, or that is limited in no other way.
   */
  threshold: (Limit & { down?: true }) | null;
  /** The absolute limit that the candidate breaks; null where it breaks none. */
  brokenLimit: { kind: 'max' | 'min'; value: number } | null;
  /** What the judgement rests on. */
  evidence: Evidence;
}

/** `not-measured`: too little was measured to see even ten times the limit; it fails. */
export type Verdict = 'regression' | 'improvement' | 'no-change' | 'inconclusive' | 'not-measured' | 'invalid' | 'new';

export interface Evidence {
  /** `exact`: a count that does not vary, from the pass without load. */
  mode: ComparisonMode | 'exact';
  /** Independent repetitions: rounds, or past runs. */
  rounds: number;
  pairs: number;
  /** Why it is inconclusive or not gated on better data, where there is something to say. */
  note: string | null;
}

export interface Explanation {
  /** Microseconds of CPU per request that came on top, and where; null where unknown. */
  cpuUs: { service: number; database: number } | null;
  /** Statements whose calls or time per request changed most, the biggest first; at most 5. */
  statements: StatementChange[];
  /** Peak memory, bytes. */
  memoryBytes: { baseline: number; candidate: number } | null;
}

/** Per request, from the pass without load. 0 on a side that does not send it. */
export interface StatementChange {
  /** Normalised text, as pg_stat_statements keeps it. */
  query: string;
  baseline: { calls: number; ms: number };
  candidate: { calls: number; ms: number };
}

/** Each entry names a case, an endpoint (`SERVICE/ENDPOINT/*`) or a service (`SERVICE/*`) and a metric, or a case alone (`metric` null). */
export interface GateEntry {
  caseKey: string;
  metric: string | null;
  /** A sentence for a reader. */
  message: string;
}

export interface AcceptedEntry extends GateEntry {
  reason: string;
}

export interface GateResult {
  passed: boolean;
  /** Verdict `regression`, and broken absolute limits; without those accepted. */
  regressions: GateEntry[];
  inconclusive: GateEntry[];
  /** Verdict `not-measured`: fails. */
  notMeasured: GateEntry[];
  invalid: GateEntry[];
  /** Cases that fail alike on both sides for a reason of the load or the machine; their endpoints are judged on the rest. */
  leftOut: GateEntry[];
  accepted: AcceptedEntry[];
  new: GateEntry[];
}

/** A regression that somebody accepts: not a failure, and what is expected from then on. */
export interface Acceptance {
  /** Glob over case key, service or path, as under `gate.cases`. */
  cases: string;
  /** Null for every metric of them. */
  metric: string | null;
  reason: string;
}
