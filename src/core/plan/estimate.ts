import type { Case } from '../config/case.ts';
import type { ResolvedSpec, WarmUp } from '../config/resolved.ts';
import { generators } from '../generators/registry.ts';

export interface PlanEstimate {
  /** Warm-up and trials. */
  loadSeconds: number;
  /** Everything, testbed and verification included. */
  wallSeconds: number;
}

interface CasesOfService {
  cases: readonly Case[];
}

/** What a run spends besides its trials, in seconds: as seen on a 2-core virtual machine with its images already there. */
export const EXPECTED_SECONDS = {
  /** `warm-up: auto` ends when throughput no longer rises from one 1 s window to the next: after 2 s at the soonest. */
  autoWarmUp: 3,
  /** One service in a container, until it is ready. */
  serviceStart: 0.8,
  databaseStart: 1.5,
  poolerStart: 0.5,
  gatewayStart: 0.5,
  serviceStop: 0.5,
  /** Answers checked before and after the load, and the pass without load; for each endpoint and route. */
  verification: 1,
  /** Starting a generator and reading what it left. */
  generatorStart: 0.1,
  /** Both sides at once, for each endpoint of a round: what the first round has learnt, two windows of half a second as a rule. */
  warmUpTogether: 1,
  /** Before and after a trial of both sides: what the one before it left, meters, a look at both sides' answers. */
  duetRest: 0.15,
  /** Both sides of a service that needs no database, until they answer, and away again. */
  roundStart: 1.2,
  /** What a database adds to that, as a copy of one that was set up before. */
  roundDatabase: 0.5,
  /** Of a round, each endpoint: one answer of each side. */
  briefVerification: 0.02,
  /** The short closed loop that tells how much a generator can send, where a rate is a share of the capacity. */
  calibration: 3,
} as const;

/** Expected load and wall clock of the services, both variants not counted: one is measured. */
export function estimateOf(spec: ResolvedSpec, services: readonly CasesOfService[]): PlanEstimate {
  const estimates = services.map((planned) => serviceEstimate(spec, planned));
  return {
    loadSeconds: sum(estimates.map(({ loadSeconds }) => loadSeconds)),
    wallSeconds: sum(estimates.map(({ wallSeconds }) => wallSeconds)),
  };
}

/** The same for one service. */
export function serviceEstimate(spec: ResolvedSpec, { cases }: CasesOfService): PlanEstimate {
  const loadSeconds = sum(cases.map((each) => warmUpSeconds(spec.load.warmUp) + trialSeconds(each)));
  const start = serviceStartSeconds(spec);
  const verified = new Set(cases.map(({ endpoint, route }) => `${endpoint.name} ${route}`)).size;
  const between = cases.length * (spec.load.coolDownSeconds + EXPECTED_SECONDS.generatorStart);
  return { loadSeconds, wallSeconds: loadSeconds + start + verified * EXPECTED_SECONDS.verification + between };
}

/** Until a service answers, with all that stands beside it, and away again. */
export function serviceStartSeconds({ database, gateway }: ResolvedSpec): number {
  const { serviceStart, databaseStart, poolerStart, gatewayStart, serviceStop } = EXPECTED_SECONDS;
  return (
    serviceStart +
    serviceStop +
    (database === null ? 0 : databaseStart) +
    (database?.pooler ? poolerStart : 0) +
    (gateway === null ? 0 : gatewayStart)
  );
}

/** Expected length of a case's trial, with what its generator sends before it. */
export function trialSeconds({ load }: Case): number {
  const { seconds, arrivalOf } = generators[load.generator];
  const calibration = arrivalOf(load)?.kind === 'share' ? EXPECTED_SECONDS.calibration : 0;
  return calibration + seconds.leadIn(load) + seconds.load(load);
}

export function warmUpSeconds(warmUp: WarmUp): number {
  return warmUp.kind === 'fixed' ? warmUp.seconds : Math.min(EXPECTED_SECONDS.autoWarmUp, warmUp.maxSeconds);
}

function sum(values: readonly number[]): number {
  return Number(values.reduce((total, value) => total + value, 0).toPrecision(12));
}
