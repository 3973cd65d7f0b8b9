import { nextLevel } from '../../core/capacity/bisection.ts';
import { type Probe, probeOf } from '../../core/capacity/probe.ts';
import { capacityOf, capacityText, votesOf } from '../../core/capacity/result.ts';
import type { EndpointSearch } from '../../core/capacity/search-case.ts';
import { entriesOf } from '../../core/capacity/search-entries.ts';
import type { Case } from '../../core/config/case.ts';
import { requestText } from '../../core/config/request-text.ts';
import type { Placement, ResolvedSpec, Service } from '../../core/config/resolved.ts';
import { counted, grouped, latency } from '../../core/format/figures.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { orderOfServices } from '../../core/plan/plan.ts';
import type { JournalEntry } from '../../core/record/journal.ts';
import { placementFor } from '../../core/topology/placement.ts';
import { unreadableBody } from '../../core/validity/unreadable-body.ts';
import { GeneratorNotStarted } from '../ports/generators.ts';
import { type PreparedService, type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { askedEndpoints, filledCases } from './asked-endpoints.ts';
import { USUAL_REST_SECONDS } from './drained.ts';
import { DataNotRestored, restoredBetween } from './restored-data.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import { measuredTrial } from './trial.ts';
import { checkedAnswer, type ReachedEndpoint } from './unexpected-parts.ts';
import { warmUp } from './warm-up.ts';

export interface SearchingRequest {
  runId: string;
  seed: number;
  spec: ResolvedSpec;
  specDirectory: string;
  placement: Placement;
  searches: readonly EndpointSearch[];
  prepared: readonly PreparedService[];
  /** Why the machine cannot load a case; null where it can. */
  machineLimit(testCase: Case): Reason | null;
  /** What the journal holds by now. */
  entries(): readonly JournalEntry[];
}

/** Above the numbers that trials of cases have, so that what generators leave of both lies side by side. */
const FIRST_ROUND = 1000;

/** The searches that are not at their end. A search that had to end gets another try where the run is gone on with. */
export function openSearches(searches: readonly EndpointSearch[], entries: readonly JournalEntry[]): EndpointSearch[] {
  return searches.filter((each) => levelOf(each, entries) !== null);
}

/**
 * Looks for the highest level that each service holds. One try of each search in turn, each time in another order and from a fresh
 * testbed: what changes about the machine meanwhile falls on no service alone, and a try that was too much spoils no later one.
 */
export async function searchCapacities(
  request: SearchingRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { progress } = adapters;
  let open = openSearches(request.searches, request.entries());
  if (open.length === 0) return;
  progress.begin(`capacity: ${counted(open.length, 'search', 'searches')}`);
  try {
    for (let turn = 0; open.length > 0; turn += 1) {
      const services = [...new Set(open.map(({ service }) => service))];
      for (const service of orderOfServices(services, request.seed, turn)) {
        signal.throwIfAborted();
        const own = open.filter((each) => each.service === service);
        const kept = await turnOf(service, own, turn, request, adapters, signal);
        open = open.filter((each) => each.service !== service || kept.includes(each));
      }
    }
  } finally {
    progress.end();
  }
}

/** One try of each search of a service; resolves to those that go on. */
async function turnOf(
  service: Service,
  searches: readonly EndpointSearch[],
  turn: number,
  request: SearchingRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<EndpointSearch[]> {
  const { spec, specDirectory, runId } = request;
  const open: EndpointSearch[] = [];
  for (const each of searches) if (await withinMachine(each, request, adapters)) open.push(each);
  if (open.length === 0) return [];
  const artifact = request.prepared.find((each) => each.service === service.name)!;
  const placement = placementFor(service, request.placement);
  let testbed: Testbed;
  try {
    if (artifact.failure !== null) throw artifact.failure;
    testbed = await adapters.runtime.start(
      {
        ...{ runId, spec, service, variant: 'candidate', round: FIRST_ROUND + turn, placement, specDirectory },
        artifact: artifact.artifact,
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof TestbedError)) throw error;
    for (const each of open) await lose(each, testbedFailureReason(service, error), adapters);
    return [];
  }
  try {
    const left: EndpointSearch[] = [];
    for (const [at, each] of open.entries()) {
      const before = open[at - 1];
      if (before !== undefined && !(await restoredAfter(before, each, testbed, adapters, signal))) {
        return [...left, ...open.slice(at)];
      }
      const goesOn = await tried(each, testbed, placement, request, adapters, signal);
      if (goesOn) left.push(each);
      // The others of this service get theirs from the next testbed.
      if ((await testbed.failure()) !== null) return [...left, ...open.slice(at + 1)];
    }
    return left;
  } finally {
    await testbed.stop();
  }
}

/** Puts back what a search has written; resolves to whether the testbed is fit for the next one. */
async function restoredAfter(
  before: EndpointSearch,
  next: EndpointSearch,
  testbed: Testbed,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<boolean> {
  const reached = ({ endpoint }: EndpointSearch): ReachedEndpoint => ({ endpoint, route: 'direct' });
  try {
    await restoredBetween(reached(before), reached(next), testbed, adapters, signal);
    return true;
  } catch (error) {
    if (!(error instanceof DataNotRestored)) throw error;
    adapters.progress.warn(error.reason.message);
    return false;
  }
}

/** Takes levels that the machine cannot load for failed, without trying them. Resolves to whether one is left to try. */
async function withinMachine(
  each: EndpointSearch,
  request: SearchingRequest,
  adapters: MeasuringAdapters,
): Promise<boolean> {
  for (;;) {
    const level = levelOf(each, request.entries());
    if (level === null) {
      reportSearch(each, request, adapters);
      return false;
    }
    const reason = request.machineLimit(each.caseAt(level));
    if (reason === null) return true;
    const figures = { throughput: null, p99Ms: null, errorShare: null, isDisturbed: false };
    const probe: Probe = { level, held: false, why: 'machine-limit', message: reason.message, ...figures };
    await adapters.store.journal.append({
      ...{ kind: 'probe', service: each.service.name, endpoint: each.endpoint.name, raw: [] },
      ...{ startedNs: adapters.clock.monotonicNs(), durationNs: 0, ...probe },
    });
  }
}

/** Resolves to whether the search goes on. */
async function tried(
  each: EndpointSearch,
  testbed: Testbed,
  placement: Placement,
  request: SearchingRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<boolean> {
  const level = levelOf(each, request.entries());
  if (level === null) return false;
  const { service, endpoint, search } = each;
  const { journal } = adapters.store;
  try {
    const asked = each.caseAt(level);
    const { filled, lost } = filledCases(
      [asked],
      await askedEndpoints(testbed, [asked], request.spec.endpoints, adapters),
    );
    const [testCase] = filled;
    if (testCase === undefined) return await lose(each, lost.get(asked.key)!, adapters);
    const { differences, answer } = await checkedAnswer(testbed, testCase, adapters, signal);
    if (differences.length > 0) {
      const message = `${service.name} does not answer ${requestText(endpoint, service)} as expected: ${differences.join('; ')}`;
      return await lose(each, { code: 'unexpected-body', message }, adapters);
    }
    const unreadable = unreadableBody(answer, testCase);
    if (unreadable !== null) return await lose(each, unreadable, adapters);
    const { load } = request.spec;
    const target = { origin: testbed.origins.direct!, cpus: placement.generator };
    const warmedUp = await warmUp(testCase, load.warmUp, target, adapters, signal);
    const trial = await measuredTrial(
      {
        ...{ case: testCase, testbed, other: null, placement, trial: 1, pair: null, notes: [] },
        rate: search.find === 'rate' ? level : null,
        warmUp: { seconds: warmedUp.seconds, steady: warmedUp.steady },
        idleBytes: testbed.meters.service.memoryBytes(),
        coolDownSeconds: load.coolDownSeconds,
        mostRestSeconds: USUAL_REST_SECONDS,
      },
      adapters,
      signal,
    );
    const probe = probeOf({ trial, case: testCase, pass: null }, level, search);
    const { startedNs, durationNs, raw } = trial;
    await journal.append({ kind: 'load', seconds: warmedUp.seconds + durationNs / 1e9 });
    const names = { service: service.name, endpoint: endpoint.name };
    await journal.append({ kind: 'probe', ...names, startedNs, durationNs, raw, ...probe });
    adapters.progress.measured(probeLine(each, probe));
  } catch (error) {
    if (error instanceof GeneratorNotStarted) {
      return await lose(each, { code: 'generator-failed', message: error.message }, adapters);
    }
    if (!(error instanceof TestbedError)) throw error;
    return await lose(each, testbedFailureReason(service, error), adapters);
  }
  return await withinMachine(each, request, adapters);
}

async function lose(
  { service, endpoint }: EndpointSearch,
  reason: Reason,
  { store, progress }: MeasuringAdapters,
): Promise<false> {
  progress.warn(`The search of ${service.name}, ${endpoint.name} ends here: ${reason.message}`);
  await store.journal.append({ kind: 'search-lost', service: service.name, endpoint: endpoint.name, reason });
  return false;
}

function levelOf(each: EndpointSearch, entries: readonly JournalEntry[]): number | null {
  return nextLevel(each.levels, votesOf(entriesOf(each, entries).probes));
}

function reportSearch(each: EndpointSearch, request: SearchingRequest, { progress }: MeasuringAdapters): void {
  const { probes } = entriesOf(each, request.entries());
  const found = capacityText(capacityOf(each.levels, probes), each.search);
  progress.say(`${each.service.name}, ${each.endpoint.name}: ${found}`);
}

/** `go/ping  14,200 requests/s  held  p99 1.94 ms`, or what it broke. */
function probeLine({ service, endpoint, search }: EndpointSearch, probe: Probe): string {
  const unit = search.find === 'rate' ? 'requests/s' : 'connections';
  const p99 = probe.p99Ms === null ? '' : `  p99 ${latency(probe.p99Ms)}`;
  const said = probe.held ? `held${p99}` : `not held: ${probe.message}`;
  return `${service.name}/${endpoint.name}  ${grouped(probe.level)} ${unit}  ${said}`;
}
