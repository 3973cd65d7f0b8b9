import type { Case } from '../config/case.ts';
import type { Endpoint } from '../config/resolved.ts';
import { isWriting } from '../config/writes.ts';
import type { TrialMeasurement, UnloadedPass, Utilisation } from '../measurement/measurement.ts';
import type { Reason, Variant } from '../measurement/names.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics as allMetrics } from '../metrics/registry.ts';
import { median } from '../statistics/quantile.ts';
import { type Beyond, beyondReason } from '../validity/beyond-service.ts';
import { caseReasons, failedAlone, setAside, setAsideWarnings } from '../validity/set-aside.ts';
import { utilisationOf } from '../validity/shares.ts';
import { warnings } from '../validity/verdict.ts';
import { dependencyFigures } from './dependency-figures.ts';
import { duetLoad } from './duet-load.ts';
import type { JournalEntry, JournalHeader } from './journal.ts';
import { published } from './published.ts';
import { reportedFigures } from './reported.ts';
import type { CaseRecord, MetricRecord, RunRecord, Sample } from './run-record.ts';
import { searchRecords } from './searches.ts';
import { statementRecords, statementWarnings } from './statements.ts';

type Entry<K extends JournalEntry['kind']> = Extract<JournalEntry, { kind: K }>;

/**
 * The run record that a journal amounts to, at any time: an interrupted run has the same form with fewer cases.
 * `cases` are those of the journal's own spec, in the order that reports show them; `at` stands in for the end of a
 * run that did not write its own.
 */
export function runRecordOf(entries: readonly JournalEntry[], cases: readonly Case[], at: string): RunRecord {
  const { kind: _, selection, ...header } = only(entries, 'header')[0] as JournalHeader & { kind: string };
  const ends = only(entries, 'end');
  const loadSeconds = only(entries, 'load').reduce((sum, { seconds }) => sum + seconds, 0);
  const postgres = only(entries, 'database').at(-1)?.version ?? header.environment.versions.postgres;
  // A run that was skipped may have been gone on with, and then both sides were measured all the same.
  const isMeasured = entries.some(({ kind }) => kind === 'trial' || kind === 'lost' || kind === 'beyond');
  const skipped = isMeasured ? null : (only(entries, 'skipped').at(-1)?.reason ?? null);
  const { quick, only: part } = selection;
  return {
    ...header,
    ...(quick || part !== null ? { selection: { quick, only: part } } : {}),
    ...(header.comparing === undefined ? {} : { comparing: { ...header.comparing, skipped } }),
    environment: { ...header.environment, versions: { ...header.environment.versions, postgres } },
    finishedAt: ends.at(-1)?.at ?? at,
    timing: {
      wallSeconds: ends.reduce((sum, { wallSeconds }) => sum + wallSeconds, 0),
      loadSeconds,
      ...comparingTime(entries),
      ...preparingTime(ends),
    },
    services: withRequestSets(
      latestServices(only(entries, 'service'), only(entries, 'observed')),
      only(entries, 'request-set'),
    ),
    ...searchRecords(entries, { spec: header.spec, selection }),
    cases: firstOfEachKey(cases).flatMap((testCase) => caseRecords(testCase, writersBeside(testCase, cases), entries)),
    interrupted:
      ends.length === 0
        ? {
            code: 'interrupted',
            message: 'The run was stopped from outside before its end; what it had measured is kept.',
          }
        : (ends.at(-1)?.interrupted ?? null),
  };
}

/** Nothing where no round was begun: a run that compares nothing has none. */
function comparingTime(entries: readonly JournalEntry[]): Pick<RunRecord['timing'], 'comparingSeconds'> {
  const rounds = [...only(entries, 'round'), ...only(entries, 'broken-off')];
  if (rounds.length === 0) return {};
  return { comparingSeconds: rounds.reduce((sum, { comparingSeconds }) => sum + comparingSeconds, 0) };
}

/** Nothing where nothing was prepared. */
function preparingTime(ends: readonly Entry<'end'>[]): Pick<RunRecord['timing'], 'preparingSeconds'> {
  const each = ends.flatMap(({ preparingSeconds }) => preparingSeconds ?? []);
  return each.length === 0 ? {} : { preparingSeconds: each.reduce((sum, seconds) => sum + seconds, 0) };
}

function only<K extends JournalEntry['kind']>(entries: readonly JournalEntry[], kind: K): Entry<K>[] {
  return entries.filter((entry): entry is Entry<K> => entry.kind === kind);
}

/** A resumed run starts its services again: the last word on each counts. */
function latestServices(entries: Entry<'service'>[], observed: Entry<'observed'>[]): RunRecord['services'] {
  const latest = new Map(entries.map(({ kind: _, ...service }) => [`${service.service}/${service.variant}`, service]));
  return [...latest.values()].map((each) => {
    const own = observed.filter(({ service, variant }) => service === each.service && variant === each.variant);
    const most = Math.max(...own.map(({ connections }) => connections));
    const last = own.findLast(({ connections }) => connections === most);
    if (last === undefined) return each;
    const { kind: _, service: __, variant: ___, ...seen } = last;
    return { ...each, observed: seen };
  });
}

/** Each start reads them anew: the last word on each counts. */
function withRequestSets(services: RunRecord['services'], entries: Entry<'request-set'>[]): RunRecord['services'] {
  return services.map((each) => {
    const own = entries.filter(({ service, variant }) => service === each.service && variant === each.variant);
    const latest = new Map(own.map(({ endpoint, requests, digest }) => [endpoint, { endpoint, requests, digest }]));
    return latest.size === 0 ? each : { ...each, requestSets: [...latest.values()] };
  });
}

/** A case that is planned may be missing as well: as a reference it is no longer what the baseline gates. */
function firstOfEachKey(cases: readonly Case[]): Case[] {
  const found = new Map<string, Case>();
  for (const each of cases) if (!found.has(each.key)) found.set(each.key, each);
  return [...found.values()];
}

/** What else of the same service's cases changes data. */
function writersBeside({ service, endpoint }: Case, cases: readonly Case[]): Endpoint[] {
  const own = cases.filter((each) => each.service.name === service.name && each.endpoint.name !== endpoint.name);
  const byName = new Map(own.map((each) => [each.endpoint.name, each.endpoint]));
  return [...byName.values()].filter(isWriting);
}

/** One record a variant that was measured or lost; none where the run did not come to the case. */
function caseRecords(testCase: Case, writers: readonly Endpoint[], entries: readonly JournalEntry[]): CaseRecord[] {
  const all = only(entries, 'trial').filter(({ caseKey }) => caseKey === testCase.key);
  const aside = setAside(all, testCase);
  const trials = all.filter((trial) => !aside.includes(trial));
  const lost = only(entries, 'lost').filter(({ caseKey }) => caseKey === testCase.key);
  const beyond = only(entries, 'beyond').filter(({ caseKey }) => caseKey === testCase.key);
  const variants = new Set<Variant>([
    ...trials.map(({ variant }) => variant),
    ...beyond.map(({ variant }) => variant),
    ...lost.map(({ variant = 'candidate' }) => variant),
  ]);
  return [...variants].map((variant) => {
    const own = trials.filter((trial) => trial.variant === variant);
    const first = entries.findIndex(
      (entry) => entry.kind === 'trial' && entry.caseKey === testCase.key && entry.variant === variant,
    );
    // A case that was lost and then measured had another try; one that is lost after it was measured is not to be trusted.
    const ownLost = lost.filter(
      (entry) => (entry.variant ?? 'candidate') === variant && (first < 0 || entries.indexOf(entry) > first),
    );
    const passes = only(entries, 'pass').filter(
      (pass) =>
        pass.variant === variant &&
        pass.service === testCase.service.name &&
        pass.endpoint === testCase.endpoint.name &&
        pass.route === testCase.route,
    );
    return caseRecord(
      testCase,
      writers,
      variant,
      own,
      passes,
      ownLost.map(({ reason }) => reason),
      aside,
      beyond.find((each) => each.variant === variant) ?? null,
    );
  });
}

function caseRecord(
  testCase: Case,
  writers: readonly Endpoint[],
  variant: Variant,
  trials: TrialMeasurement[],
  passes: UnloadedPass[],
  lost: Reason[],
  aside: TrialMeasurement[],
  beyond: Beyond | null,
): CaseRecord {
  const evidence = trials.map((trial) => ({
    trial,
    case: testCase,
    writers,
    // Later rounds are verified briefly, and held against what was counted before them.
    pass: passes.findLast(({ round }) => round <= trial.round) ?? null,
  }));
  const found = caseReasons(evidence);
  const alone = failedAlone(aside, testCase, variant);
  // What else a trial shows of it is of so much load that nobody answers it in time.
  const reasons = beyond === null ? firstOfEachCode([...lost, ...found.reasons]) : [beyondReason(testCase, beyond)];
  return {
    key: testCase.key,
    service: testCase.service.name,
    variant,
    endpoint: testCase.endpoint.name,
    route: testCase.route,
    generator: testCase.generator,
    keepAlive: testCase.keepAlive,
    connections: testCase.connections,
    rate: trials[0]?.rate ?? null,
    status: beyond !== null ? 'beyond' : reasons.length === 0 ? 'valid' : 'invalid',
    ...(beyond === null ? {} : { beyond: beyondOf(beyond) }),
    reasons,
    warnings: firstOfEachCode([
      ...found.warnings,
      ...evidence.flatMap(warnings),
      ...setAsideWarnings(aside, variant, trials.length, alone),
      ...statementWarnings(passes),
    ]),
    metrics: Object.fromEntries(
      allMetrics.flatMap((metric) => {
        const record = metricRecord(metric, trials, passes);
        return record === null ? [] : [[metric.name, record]];
      }),
    ),
    utilisation: meanUtilisation(published(trials)),
    ...duetLoad(trials),
    ...(alone === 0 ? {} : { failedAlone: alone }),
    ...statementRecords(passes),
    ...reportedFigures(trials),
    ...dependencyFigures(trials),
    raw: trials.flatMap(({ raw }) => raw),
  };
}

function beyondOf({ answersPerSecond, requestSeconds }: Beyond): Beyond {
  return { answersPerSecond, ...(requestSeconds === undefined ? {} : { requestSeconds }) };
}

function metricRecord(
  metric: MetricDefinition,
  trials: TrialMeasurement[],
  passes: UnloadedPass[],
): MetricRecord | null {
  const samples: Sample[] = [
    ...trials.flatMap((trial) => {
      const value = metric.ofTrial?.(trial) ?? null;
      const { round, trial: number, pair, mode, startedNs, durationNs } = trial;
      const requests = metric.requestsOf?.(trial) ?? null;
      const counted = requests === null ? {} : { requests };
      const part = metric.withoutBackground?.(trial) ?? null;
      const ofPart = part === null ? {} : { withoutBackground: part };
      if (value === null) return [];
      return [{ round, trial: number, pair, mode, startedNs, durationNs, value, ...ofPart, ...counted }];
    }),
    ...passes.flatMap((pass) => {
      const value = metric.ofPass?.(pass) ?? null;
      const { round, startedNs, durationNs, requests } = pass;
      const place = { round, trial: 0, pair: null, mode: 'solo' as const };
      return value === null ? [] : [{ ...place, startedNs, durationNs, value, requests }];
    }),
  ];
  if (samples.length === 0) return null;
  return { value: median(published(samples).map(({ value }) => value)), unit: metric.unit, samples };
}

function firstOfEachCode(reasons: Reason[]): Reason[] {
  return reasons.filter(({ code }, index) => reasons.findIndex((other) => other.code === code) === index);
}

function meanUtilisation(trials: readonly TrialMeasurement[]): Utilisation | null {
  if (trials.length === 0) return null;
  const each = trials.map(utilisationOf);
  const threads = each.flatMap(({ busiestThread }) => busiestThread ?? []);
  const beside = each.flatMap(({ dependencies }) => dependencies ?? []);
  const mean = (part: Exclude<keyof Utilisation, 'busiestThread' | 'dependencies'>) =>
    meanOf(each.map((shares) => shares[part]));
  return {
    service: mean('service'),
    database: mean('database'),
    gateway: mean('gateway'),
    ...(beside.length === 0 ? {} : { dependencies: meanOf(beside) }),
    generator: mean('generator'),
    own: mean('own'),
    foreign: mean('foreign'),
    steal: mean('steal'),
    ...(threads.length === 0 ? {} : { busiestThread: meanOf(threads) }),
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
