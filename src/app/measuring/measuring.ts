import { mayBeAbsent } from '../../core/baseline/absent-services.ts';
import { otherRequestReason } from '../../core/baseline/other-requests.ts';
import type { EndpointSearch } from '../../core/capacity/search-case.ts';
import { buildWarnings } from '../../core/comparison/build-warnings.ts';
import type { Case } from '../../core/config/case.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { counted } from '../../core/format/figures.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { PUBLISHING_ROUND } from '../../core/measurement/names.ts';
import type { Plan, PlannedService } from '../../core/plan/plan.ts';
import type { JournalEntry, JournalHeader } from '../../core/record/journal.ts';
import { cpuWarnings, placementFor } from '../../core/topology/placement.ts';
import { NOT_LOADABLE } from '../../core/validity/not-loadable.ts';
import { type RunStore, StoreError } from '../ports/run-store.ts';
import type { PreparedService } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { withChangeover } from './changeover.ts';
import { comparedCases, comparedServices } from './compared-services.ts';
import { matrixProgressOf } from './matrix-progress.ts';
import { type Preparing, preparingOf } from './preparing.ts';
import {
  lossesOf,
  type UnmeasuredCase,
  withoutMeasured,
  withoutMeasuredCases,
  withoutUnloadable,
} from './remaining-cases.ts';
import { openSearches, searchCapacities } from './searching.ts';
import { roundsExpected, secondsLeft, secondsSpent } from './side-by-side/budget.ts';
import { decisionsOf } from './side-by-side/decisions.ts';
import { wasMeasured } from './side-by-side/run-state.ts';
import { compareService } from './side-by-side/service.ts';
import { measureService } from './solo-service.ts';

export interface MeasuringRequest {
  header: JournalHeader;
  spec: ResolvedSpec;
  specDirectory: string;
  plan: Plan;
  /** Cases of the plan that are not measured, on either side. */
  unloadable?: readonly UnmeasuredCase[];
  /** What is looked for besides; none in a run that compares. */
  searches?: readonly EndpointSearch[];
  /** Why this machine cannot load a case; null where it can. */
  machineLimit?(testCase: Case): Reason | null;
  /** The journal of the run that goes on; null for a new one. */
  resumed: JournalEntry[] | null;
  /** Null for a run on its own. */
  comparing: ComparingRequest | null;
}

export interface ComparingRequest {
  mode: 'duet' | 'interleaved';
  /** Its spec has the candidate's load, and of its endpoints those that the baseline has as well. */
  baseline: { spec: ResolvedSpec; specDirectory: string; prepared: readonly PreparedService[] };
  /** Cases that only the baseline has. */
  missing: readonly Case[];
  /** Seconds of wall clock for comparing the whole matrix. */
  budgetSeconds: number;
  /** What may come on top of it, for all services, until there are as many rounds as a verdict takes. */
  extraSeconds: number;
  /** As `budgetSeconds`, for a machine that takes longer for the rounds that those were made for. */
  longestSeconds: number;
  /** After which what is red is measured no longer, for all services; `Infinity` for as long as the budget lasts. */
  redSeconds: number;
  /** Published figures are of short trials: only the change is of interest, as in a pull request. */
  isShort: boolean;
  /** How often the candidate is built, as the baseline was; absent for once. */
  builds?: number;
  /** Why there is nothing to measure, where both sides are the same; else null. */
  sameOnBothSides(baseline: readonly PreparedService[], candidate: readonly PreparedService[]): Promise<Reason | null>;
}

export interface MeasuringEnd {
  /** Why it ended early; null where every case was come to. */
  interrupted: Reason | null;
}

/**
 * Measures what the plan holds and is not in the journal yet, each trial going into the journal as soon as it is
 * measured. Ends early, and in good order, when it is aborted or when the folder cannot be written any more.
 */
export async function measure(
  request: MeasuringRequest,
  given: MeasuringAdapters,
  signal: AbortSignal,
): Promise<MeasuringEnd> {
  const { store, clock } = given;
  const preparing = preparingOf(given.progress, clock, request.comparing !== null);
  const adapters = { ...given, runtime: withChangeover(preparing.told(given.runtime)) };
  const startedNs = clock.monotonicNs();
  if (request.resumed === null) await store.journal.append({ kind: 'header', ...request.header });

  let interrupted: Reason | null = null;
  try {
    await measureAll(request, preparing, adapters, signal);
  } catch (error) {
    if (signal.aborted) interrupted = { code: 'interrupted', message: String(signal.reason?.message ?? signal.reason) };
    else if (error instanceof StoreError) interrupted = { code: 'disk', message: error.message };
    else throw error;
  } finally {
    await adapters.runtime.release(request.header.id);
  }
  const wallSeconds = (clock.monotonicNs() - startedNs) / 1e9;
  const preparingSeconds = preparing.ns() / 1e9;
  const end: JournalEntry = {
    ...{ kind: 'end', at: clock.now().toISOString(), wallSeconds },
    ...(preparingSeconds === 0 ? {} : { preparingSeconds }),
    interrupted,
  };
  // A folder that could not be written a moment ago may still not be: the reason reaches the caller all the same.
  await store.journal.append(end).catch((error: unknown) => {
    if (!(error instanceof StoreError) || interrupted === null) throw error;
  });
  return { interrupted };
}

async function measureAll(
  request: MeasuringRequest,
  preparing: Preparing,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { spec, specDirectory, header, comparing } = request;
  const { progress, runtime, clock } = adapters;
  const before = request.resumed ?? [{ kind: 'header', ...header } as const];
  // Limits may have been raised since: what is still beyond them is lost again.
  const entries: JournalEntry[] = before.filter((each) => each.kind !== 'lost' || each.reason.code !== NOT_LOADABLE);
  const kept = { ...adapters, store: remembered(adapters.store, entries) };
  const all = request.plan.services;
  const unloadable = request.unloadable ?? [];
  const left = withoutUnloadable(comparing === null ? withoutMeasuredCases(all, before) : all, unloadable);
  const total = left.reduce((sum, { cases }) => sum + cases.length, 0);
  const searches = openSearches(request.searches ?? [], entries);
  if (total + searches.length === 0) return;

  // Nobody waits for its answer before services are there, and asking takes perf a tenth of a second.
  const syscallsObstacle = adapters.syscalls.obstacle();
  for (const sentence of await runtime.sweep()) progress.say(sentence);
  const services = [...new Set([...left, ...searches].map(({ service }) => service))];
  for (const warning of cpuWarnings(services, header.environment.placement)) progress.warn(warning);
  const prepared = await runtime.prepare(
    {
      runId: header.id,
      spec,
      services,
      specDirectory,
      builds: comparing?.builds ?? 1,
      onLine: (line) => progress.say(line),
    },
    signal,
  );
  const obstacle = await syscallsObstacle;
  if (obstacle !== null) progress.say(obstacle);
  const side = comparing?.baseline ?? null;
  for (const { message } of buildWarningsOf(side?.prepared ?? [], prepared)) progress.warn(message);
  const both = (planned: PlannedService) => (side === null ? [] : comparedCases(planned.cases, side.spec));
  const comparable = left.filter((planned) => both(planned).length > 0).map(({ service }) => service);
  const compared = side === null ? [] : comparedServices(comparable, side.spec);
  // What has begun to be measured was not to be skipped: a run that goes on does not know of `--no-skip`.
  const isBegun = entries.some(({ kind }) => kind === 'trial');
  const same = isBegun ? null : ((await comparing?.sameOnBothSides(side?.prepared ?? [], prepared)) ?? null);
  if (same !== null) {
    progress.say(same.message);
    await kept.store.journal.append({ kind: 'skipped', reason: same });
    return;
  }
  for (const loss of lossesOf(unloadable, all, side?.spec ?? null, entries)) await kept.store.journal.append(loss);

  const plannedCases = request.plan.services.reduce((sum, { cases }) => sum + cases.length, 0);
  const matrixProgress = matrixProgressOf(
    total,
    (request.plan.estimate.wallSeconds * total) / plannedCases,
    { monotonicNs: () => clock.monotonicNs() - preparing.ns() },
    progress,
  );
  const order = compared.map((service) => service.name);
  for (const planned of left) {
    signal.throwIfAborted();
    const { name } = planned.service;
    progress.begin(`${name}: ${counted(planned.cases.length, 'case')}`);
    const ofCandidate = prepared.find(({ service }) => service === name)!;
    const baseline = compared.find((service) => service.name === name);
    const frame = { runId: header.id, placement: placementFor(planned.service, header.environment.placement) };
    try {
      let cases = planned.cases;
      if (side !== null && baseline !== undefined) {
        const ofBaseline = side.prepared.find(({ service }) => service === name)!;
        const isNew = (testCase: Case) => !both(planned).includes(testCase);
        const withoutBaseline = await compareService(
          {
            ...frame,
            seed: header.seed,
            planned: { ...planned, cases: both(planned) },
            sides: {
              baseline: { ...side, service: baseline, prepared: ofBaseline },
              candidate: { spec, specDirectory, service: planned.service, prepared: ofCandidate },
            },
            mode: comparing!.mode,
            isShort: comparing!.isShort,
            extraSeconds: comparing!.extraSeconds / compared.length,
            expectedRounds: roundsExpected(
              comparing!.budgetSeconds / compared.length,
              planned.cases,
              spec,
              comparing!.mode,
            ),
            longestSeconds: secondsLeft(name, order, comparing!.longestSeconds, entries),
            redSeconds: comparing!.redSeconds / compared.length - secondsSpent(name, entries),
            budgetSeconds: secondsLeft(name, order, comparing!.budgetSeconds, entries),
            decisions: decisionsOf(
              () => entries,
              request.plan.services.flatMap((each) => each.cases),
              clock,
            ),
            entries: () => entries,
            preparingNs: () => preparing.ns(),
          },
          kept,
          signal,
        );
        cases = [...planned.cases.filter(isNew), ...withoutBaseline];
        matrixProgress.skip(planned.cases.length - cases.length);
      }
      cases = withoutMeasured(cases, entries);
      if (cases.length > 0) {
        await measureService(
          {
            ...frame,
            spec,
            specDirectory,
            planned: { ...planned, cases },
            prepared: ofCandidate,
            // Numbers above that of the published figures are those of rounds that compare.
            round: baseline === undefined ? nextRound(entries, name) : PUBLISHING_ROUND,
            mayBeAbsent:
              !wasMeasured(planned.cases, entries) &&
              mayBeAbsent(
                planned.service,
                side?.spec.services.find((service) => service.name === name),
              ),
            matrixProgress,
          },
          kept,
          signal,
        );
      }
    } finally {
      progress.end();
    }
  }
  await searchCapacities(
    {
      ...{ runId: header.id, seed: header.seed, spec, specDirectory, placement: header.environment.placement },
      ...{ searches, prepared, machineLimit: request.machineLimit ?? (() => null), entries: () => entries },
    },
    kept,
    signal,
  );
  const own = new Set(all.flatMap(({ cases }) => cases.map(({ key }) => key)));
  for (const { key } of comparing?.missing ?? []) {
    const reason = own.has(key) ? otherRequestReason(null) : MISSING;
    await kept.store.journal.append({ kind: 'lost', caseKey: key, variant: 'baseline', reason });
  }
}

const MISSING = { code: 'missing', message: "the baseline's spec has this case, the candidate's has not" };

function buildWarningsOf(baseline: readonly PreparedService[], candidate: readonly PreparedService[]): Reason[] {
  return buildWarnings([
    ...baseline.map((each) => ({ ...each, variant: 'baseline' as const })),
    ...candidate.map((each) => ({ ...each, variant: 'candidate' as const })),
  ]);
}

/** A store whose journal is also kept in memory, for what is decided from it meanwhile. */
function remembered(store: RunStore, entries: JournalEntry[]): RunStore {
  const { journal } = store;
  return {
    directory: store.directory,
    journal: {
      async append(entry) {
        await journal.append(entry);
        entries.push(entry);
      },
      read: () => journal.read(),
    },
    writeRaw: (name, content) => store.writeRaw(name, content),
    write: (name, content) => store.write(name, content),
  };
}

function nextRound(entries: readonly JournalEntry[], service: string): number {
  const rounds = entries.flatMap((entry) => (entry.kind === 'pass' && entry.service === service ? [entry.round] : []));
  return Math.max(0, ...rounds) + 1;
}
