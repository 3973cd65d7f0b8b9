import { atMost, type BenchResult, rounded, type Target } from '../../../scripts/bench/target.ts';
import { decisionsOn } from '../../../src/core/comparison/decision.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { hypothesesFrom } from '../hypotheses.ts';
import { KINDS, type LiveKind } from './kinds.ts';
import { asSeries, type Condition, type LiveResult } from './result.ts';
import { counts } from './schedule.ts';

/** In how many of how many comparisons a change is to be found. */
const FOUND: { kind: string; condition: Condition; found: number; of: number; within: string }[] = [
  { kind: 'standard-endpoint-6', condition: 'quiet', found: 18, of: 20, within: 'at defaults' },
  { kind: 'standard-endpoint-8', condition: 'quiet', found: 18, of: 20, within: 'at defaults' },
  { kind: 'standard-all-5', condition: 'quiet', found: 18, of: 20, within: 'at defaults' },
  { kind: 'standard-query', condition: 'quiet', found: 18, of: 20, within: 'at defaults' },
  { kind: 'http-cpu-2', condition: 'quiet', found: 18, of: 20, within: 'in 90 s' },
  { kind: 'http-cpu-5', condition: 'quiet', found: 20, of: 20, within: 'in 90 s' },
  { kind: 'http-cpu-5', condition: 'disturbed', found: 10, of: 10, within: 'in 90 s' },
  { kind: 'database-cpu-3', condition: 'quiet', found: 18, of: 20, within: 'in 180 s' },
  { kind: 'one-query-more', condition: 'quiet', found: 20, of: 20, within: 'in 90 s' },
];
const NULLS = { all: 150, disturbed: 40 };
/** Of a request's CPU time: how far the mean of what is reported may be from what was injected. */
const MOST_BIAS = 0.005;

/** What the results amount to, for as many of them as there are: a target is met once all that it asks for is there. */
export function assessed(results: readonly LiveResult[]): BenchResult {
  const nulls = results.filter(({ kind }) => kind.startsWith('null-'));
  return {
    figures: Object.assign(
      {},
      ...KINDS.flatMap((kind) => kindFigures(kind, results)),
      nullFigures(nulls),
      machineFigures(results),
    ),
    targets: [
      ...FOUND.map((wanted) => foundTarget(wanted, results)),
      ...KINDS.flatMap((kind) => biasTarget(kind, results)),
      ...nullTargets(nulls),
      ...standardTargets(results),
    ],
  };
}

/** Whether the change that was injected was called a regression. */
export function isFound({ kind, verdicts }: LiveResult): boolean {
  const { shows, cost } = KINDS.find(({ name }) => name === kind)!;
  const endpoints = cost?.kind === 'cpu' ? (cost.endpoints ?? []) : [];
  // Where one endpoint costs more, a red of another one is none that was looked for.
  const isMeant = (key: string) => endpoints.length !== 1 || key.includes(`/${endpoints[0]}/`);
  return verdicts.some((each) => each.metric === shows && each.verdict === 'regression' && isMeant(each.case));
}

/**
 * Ids of the hypotheses, of cases, endpoints and services, that the decision of today calls a regression, from what was stored; at
 * `threshold` where one is given.
 */
export function redsAgain(result: LiveResult, threshold?: number): string[] {
  const series = result.series.map(asSeries).map((one) => {
    return threshold === undefined ? one : { ...one, threshold, improvement: threshold };
  });
  const last = series.flatMap(({ values }) => values.map(({ round }) => round));
  const look = { rounds: last.reduce((most, each) => Math.max(most, each), 0), final: true };
  return decisionsOn(hypothesesFrom(series), look).flatMap(({ id, verdict }) => (verdict === 'regression' ? [id] : []));
}

/** Reported and injected change of CPU time per request, as shares of what the baseline cost in the same comparison. */
function cpuChange({ injected, cpuUs, verdicts }: LiveResult): { reported: number; injected: number } | null {
  const reported = verdicts.find(({ metric }) => metric === 'cpu-per-request')?.change ?? null;
  // Of some endpoints the share itself was injected, each of its own cost.
  if (injected.cpuUs === 0) return null;
  return reported === null ? null : { reported, injected: injected.cpuUs / cpuUs.baseline };
}

function kindFigures(kind: LiveKind, results: readonly LiveResult[]): Record<string, number | string>[] {
  return (['quiet', 'disturbed'] as const).flatMap((condition) => {
    const own = results.filter((result) => result.kind === kind.name && result.condition === condition);
    if (own.length === 0) return [];
    const name = condition === 'quiet' ? kind.name : `${kind.name} disturbed`;
    const seconds = own.map((result) => result.seconds.comparing);
    const found = {
      [`${name} found`]: `${own.filter(isFound).length} of ${own.length}`,
      ...(kind.cost?.kind === 'cpu' ? { [`${name} found, judged again`]: own.filter(isRedAgain).length } : {}),
    };
    const invalid = own.filter(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'invalid')).length;
    return [
      {
        ...(kind.shows === null ? {} : found),
        [`${name} seconds, median`]: rounded(median(seconds)),
        [`${name} seconds, most`]: rounded(Math.max(...seconds)),
        ...changeFigures(name, own, kind),
        ...(invalid === 0 ? {} : { [`${name} with an invalid case`]: invalid }),
      },
    ];
  });
}

function isRedAgain(result: LiveResult): boolean {
  return redsAgain(result).some((id) => id.endsWith(' cpu-per-request'));
}

function changeFigures(name: string, own: readonly LiveResult[], kind: LiveKind): Record<string, number> {
  if (kind.cost?.kind !== 'cpu') return {};
  const { endpoints, share } = kind.cost;
  if (endpoints !== undefined) {
    const since = own.filter(counts);
    return since.length === 0
      ? {}
      : {
          [`${name} injected, %`]: share * 100,
          [`${name} reported, %`]: rounded(mean(since.map((result) => reportedOf(result, endpoints))) * 100, 3),
        };
  }
  const changes = own.flatMap((result) => cpuChange(result) ?? []);
  const percent = (values: number[]) => rounded(mean(values) * 100, 3);
  return {
    [`${name} injected, %`]: percent(changes.map(({ injected }) => injected)),
    [`${name} reported, %`]: percent(changes.map(({ reported }) => reported)),
  };
}

/** Mean change of CPU time per request over the endpoints that cost more. */
function reportedOf({ verdicts }: LiveResult, endpoints: readonly string[]): number {
  const changes = verdicts.flatMap(({ case: key, metric, change }) =>
    metric === 'cpu-per-request' && change !== null && endpoints.some((name) => key === `server/${name}/*`)
      ? [change]
      : [],
  );
  return mean(changes);
}

function foundTarget(
  { kind, condition, found, of, within }: (typeof FOUND)[number],
  results: readonly LiveResult[],
): Target {
  const own = results.filter((result) => result.kind === kind && result.condition === condition && counts(result));
  const value = own.filter(isFound).length;
  return {
    name: `${kind}${condition === 'quiet' ? '' : ' disturbed'} found ${within}, of ${own.length}`,
    value,
    limit: `at least ${found} of ${of}`,
    met: own.length >= of && value * of >= found * own.length,
  };
}

function biasTarget(kind: LiveKind, results: readonly LiveResult[]): Target[] {
  if (kind.cost?.kind !== 'cpu' || kind.cost.endpoints !== undefined) return [];
  const own = results.filter((result) => result.kind === kind.name && result.condition === 'quiet');
  const changes = own.flatMap((result) => cpuChange(result) ?? []);
  const bias = mean(changes.map(({ reported, injected }) => reported - injected));
  const target = atMost(
    `${kind.name}: reported less injected, points, of ${own.length}`,
    rounded(Math.abs(bias) * 100, 3),
    MOST_BIAS * 100,
  );
  return [{ ...target, met: target.met && own.length >= kind.wanted.quiet }];
}

function nullTargets(nulls: readonly LiveResult[]): Target[] {
  const disturbed = nulls.filter(({ condition }) => condition === 'disturbed');
  return [
    redTarget(`null matrices with a red, of ${nulls.filter(counts).length}`, nulls, NULLS.all),
    redTarget(`disturbed null matrices with a red, of ${disturbed.filter(counts).length}`, disturbed, NULLS.disturbed),
  ];
}

function redTarget(
  name: string,
  nulls: readonly LiveResult[],
  wanted: number,
  isRed = ({ verdicts }: LiveResult) => verdicts.some(({ verdict }) => verdict === 'regression'),
): Target {
  const reds = nulls.filter(isRed).length;
  return { name, value: reds, limit: `0 of ${wanted}`, met: reds === 0 && nulls.filter(counts).length >= wanted };
}

/** Of the standard spec at its defaults: wall clock, and what a comparison of equal builds comes to. */
const STANDARD = { wallSeconds: 8 * 60, comparingSeconds: 5 * 60, nulls: 40, decided: 0.9 };

function standardTargets(results: readonly LiveResult[]): Target[] {
  const own = results.filter((result) => result.kind.startsWith('standard-') && counts(result));
  const nulls = own.filter(({ kind }) => kind === 'standard-null');
  const decided = nulls.filter(
    ({ verdicts }) =>
      verdicts.length > 0 &&
      verdicts
        .filter(({ case: key }) => key.endsWith('/*'))
        .every(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'not-measured' && verdict !== 'invalid'),
  ).length;
  const most = (of: (result: LiveResult) => number) => own.reduce((sum, each) => Math.max(sum, of(each)), 0);
  const whole = (target: Target): Target => ({ ...target, met: target.met && own.length >= STANDARD.nulls });
  return [
    whole(
      atMost(
        `standard spec: most seconds of wall clock, of ${own.length}`,
        most(({ seconds }) => seconds.wall),
        STANDARD.wallSeconds,
      ),
    ),
    whole(
      atMost(
        'standard spec: most seconds of comparing',
        most(({ seconds }) => seconds.comparing),
        STANDARD.comparingSeconds,
      ),
    ),
    redTarget(
      `standard spec, nothing changed: runs that failed, of ${nulls.length}`,
      nulls,
      STANDARD.nulls,
      // For whatever reason: what a user sees is a red check.
      ({ exitStatus }) => exitStatus !== 0,
    ),
    {
      name: `standard spec, nothing changed: every service and endpoint decided, of ${nulls.length}`,
      value: decided,
      limit: `at least ${STANDARD.decided * 100} %`,
      met: nulls.length >= STANDARD.nulls && decided >= STANDARD.decided * nulls.length,
    },
  ];
}

function nullFigures(nulls: readonly LiveResult[]): Record<string, number> {
  if (nulls.length === 0) return {};
  return {
    'null matrices with a red, judged again': nulls.filter((result) => redsAgain(result).length > 0).length,
    'null matrices with a red at threshold 0, judged again': nulls.filter((result) => redsAgain(result, 0).length > 0)
      .length,
  };
}

/** How many comparisons each CPU model has measured: no comparison is of two. */
function machineFigures(results: readonly LiveResult[]): Record<string, number> {
  const models = [...new Set(results.map(({ machine }) => machine.cpuModel))].sort();
  const measuredOn = (model: string) => results.filter(({ machine }) => machine.cpuModel === model).length;
  return Object.fromEntries(models.map((model) => [`comparisons on ${model}`, measuredOn(model)]));
}
