import type { CaseRecord, MetricRecord } from '../record/run-record.ts';
import { mean } from '../statistics/moderated-variance.ts';
import { ascending, median } from '../statistics/quantile.ts';
import { type Contrast, isExactContrast, type Ratios } from './contrast.ts';
import type { CaseSeries, Level } from './hypothesis.ts';
import { type ValuePair, valuePairs } from './observations.ts';
import { changeLimit, logBorders } from './thresholds.ts';
import { endpointKey, limitGroups, serviceKey } from './unit-key.ts';

/**
 * What is judged for endpoints and services, beside the cases that it is made of. Only cases with the same limit are judged
 * together: the looser one of others must not speak for a case, nor a tighter one against it. What would be of one case is the
 * case itself.
 *
 *     case          round 1   round 2   …
 *     /ping  100      +4 %      +6 %
 *     /ping 1000      +6 %      +4 %         ln(candidate/baseline)
 *     endpoint        +5 %      +5 %    …    the mean of each column is what a round tells of the endpoint
 *
 * Memory is of the process, which serves all cases from one heap, and so of the service alone (`keptByProcess`).
 */
export function withLevels(contrasts: readonly Contrast[]): Contrast[] {
  const judged = contrasts.filter(isJudged);
  const endpoints = unitsOf(
    'endpoint',
    judged.filter(({ metric }) => metric.ofProcess !== true),
  );
  const ofEndpoints = judgedBy(endpoints);
  const members = [
    ...endpoints.map(({ unit }) => unit),
    ...judged.filter((contrast) => !ofEndpoints.has(contrast) && !isExactContrast(contrast)),
  ];
  const services = unitsOf(
    'service',
    members.filter((contrast) => !isExactContrast(contrast)),
  );
  const ofServices = judgedBy(services);
  const cases = contrasts.map((contrast): Contrast => {
    const unit =
      ofEndpoints.get(contrast) ?? (contrast.metric.ofProcess === true ? ofServices.get(contrast) : undefined);
    if (unit !== undefined) return { ...contrast, judgedBy: unit };
    // The only case of its endpoint with this limit: what is decided of the endpoint is decided here.
    return { ...contrast, level: 'endpoint' };
  });
  return [...cases, ...endpoints.map(({ unit }) => unit), ...services.map(({ unit }) => unit)];
}

interface Unit {
  unit: Contrast;
  members: readonly Contrast[];
}

function judgedBy(units: readonly Unit[]): Map<Contrast, string> {
  return new Map(units.flatMap(({ unit, members }) => members.map((member) => [member, unit.case.key] as const)));
}

/** Gated, with a limit of a change, and valid on both sides. */
function isJudged({
  gates,
  threshold,
  limit,
  metric,
  ratios,
  case: { baseline, candidate },
  ...contrast
}: Contrast): boolean {
  if (!gates || baseline?.status !== 'valid' || candidate?.status !== 'valid') return false;
  if (isExactContrast({ metric }))
    return contrast.baseline !== null && contrast.candidate !== null && changeOrFall(metric, limit);
  return threshold !== null && ratios !== null;
}

function changeOrFall(metric: Contrast['metric'], limit: Contrast['limit']): boolean {
  return changeLimit(metric, limit) !== null || limit.maxDecrease !== undefined;
}

function unitsOf(level: Exclude<Level, 'case'>, contrasts: readonly Contrast[]): Unit[] {
  const byPlace = new Map<string, Contrast[]>();
  for (const contrast of contrasts) {
    const { service, endpoint } = contrast.case;
    const key = level === 'service' ? serviceKey(service) : endpointKey(service, endpoint);
    const name = `${key} ${contrast.metric.name}`;
    byPlace.set(name, [...(byPlace.get(name) ?? []), contrast]);
  }
  return [...byPlace].flatMap(([name, all]) => {
    const key = name.slice(0, name.lastIndexOf(' '));
    const groups = limitGroups(key, all, (one) => one.threshold ?? one.limit.maxDecrease!);
    return groups.flatMap(({ key: own, own: members }) =>
      members.length < 2 ? [] : [{ unit: unitOf(level, own, members), members }],
    );
  });
}

function unitOf(level: Exclude<Level, 'case'>, key: string, members: readonly Contrast[]): Contrast {
  const first = members[0]!;
  const { metric, case: some } = first;
  const path = some.names[2];
  const shared = {
    ...first,
    level,
    judgedBy: null,
    caseKeys: members.flatMap(({ caseKeys }) => caseKeys),
    case: {
      ...some,
      key,
      endpoint: level === 'service' ? '*' : some.endpoint,
      names: [key, some.service, ...(level === 'service' || path === undefined ? [] : [path])],
    },
  };
  // All cases of an endpoint have the counts of the same passes, but for those by another route: the worst one speaks.
  if (isExactContrast(first)) return withRecords(shared, members, worstOf(members));
  const baseline = figureOf(
    members.map((each) => each.baseline!),
    metric.ofProcess === true,
  );
  const candidate = figureOf(
    members.map((each) => each.candidate!),
    metric.ofProcess === true,
  );
  const borders = logBorders(metric, first.threshold!, baseline.value);
  const groups = metric.ofProcess === true ? [[keptByProcess(members)]] : groupsOf(level, members);
  const isAlike = members.every(({ basis }) => basis.mode === first.basis.mode);
  return {
    ...withRecords(shared, members, { baseline, candidate }),
    basis: isAlike ? first.basis : { ...first.basis, mode: 'interleaved' },
    // A level is held to each case, in which it is broken or not.
    limit: metric.better === 'lower' ? { maxIncrease: first.threshold! } : { maxDecrease: first.threshold! },
    ratios: { groups, threshold: borders.worse, improvement: borders.better },
    pairs: members.flatMap(({ pairs }) => pairs),
    note: joinedNotes(members),
  };
}

/** The cases of an endpoint by their weights; of a service each endpoint with the same say. */
function groupsOf(level: Exclude<Level, 'case'>, members: readonly Contrast[]): Ratios['groups'] {
  const each = members.map(({ ratios }) => ratios!.groups.flat());
  return level === 'endpoint' ? [each.flat()] : each;
}

/** Of the cases of a round, whose peaks tell what the process keeps. */
const LOWEST_SHARE = 0.25;

/**
 * What the process keeps, whatever it is asked for: of each side the mean of the lowest quarter of a round's peaks. When a garbage
 * collector runs scatters a peak by some 10 % from round to round (Node.js), and for seconds on end; the median over 20 cases
 * by 8 %, the lowest quarter by 5 %. A case that needs more for itself shows that by itself.
 */
function keptByProcess(members: readonly Contrast[]): CaseSeries {
  const rounds = new Map<number, ValuePair[]>();
  for (const { baseline, candidate, basis } of members) {
    for (const pair of valuePairs(baseline, candidate, basis.samples)) {
      rounds.set(pair.instance, [...(rounds.get(pair.instance) ?? []), pair]);
    }
  }
  const values = [...rounds]
    .filter(([, pairs]) => pairs.length >= members.length / 2)
    .sort(([one], [other]) => one - other)
    .map(([round, pairs]) => {
      const lowest = (side: 'baseline' | 'candidate') => {
        const count = Math.max(1, Math.round(LOWEST_SHARE * pairs.length));
        return mean(ascending(pairs.map((pair) => pair[side])).slice(0, count));
      };
      return { round, value: Math.log(lowest('candidate') / lowest('baseline')) };
    });
  return { values, weight: 1 };
}

function joinedNotes(members: readonly Contrast[]): string | null {
  const notes = new Set(members.flatMap(({ note }) => note ?? []));
  return notes.size === 0 ? null : [...notes].join('; ');
}

function worstOf(members: readonly Contrast[]): Pick<Contrast, 'baseline' | 'candidate'> {
  const rise = ({ baseline, candidate }: Contrast) => candidate!.value - baseline!.value;
  return members.reduce((worst, each) => (rise(each) > rise(worst) ? each : worst));
}

/** The members as one case on each side. */
function withRecords(
  contrast: Contrast,
  members: readonly Contrast[],
  figures: Pick<Contrast, 'baseline' | 'candidate'>,
): Contrast {
  const { case: compared } = contrast;
  const side = (variant: 'baseline' | 'candidate') =>
    recordOf(
      compared,
      members.map((member) => member.case[variant]!),
    );
  return { ...contrast, ...figures, case: { ...compared, baseline: side('baseline'), candidate: side('candidate') } };
}

/** Their figures together; statements are those of an endpoint, and of several of them nobody's. */
function recordOf({ key, endpoint }: Contrast['case'], cases: readonly CaseRecord[]): CaseRecord {
  const [first] = cases as [CaseRecord, ...CaseRecord[]];
  const names = new Set(cases.flatMap(({ metrics }) => Object.keys(metrics)));
  const metrics = [...names].map((name) => {
    const own = cases.flatMap((each) => (Object.hasOwn(each.metrics, name) ? each.metrics[name]! : []));
    return [name, figureOf(own, name.startsWith('memory-'))] as const;
  });
  const statements = cases.every((each) => each.endpoint === first.endpoint) ? (first.statements ?? []) : [];
  return { ...first, key, endpoint, reasons: [], raw: [], statements, metrics: Object.fromEntries(metrics) };
}

/** The usual one of the cases; of what they cost the mean. */
function figureOf(cases: readonly MetricRecord[], ofProcess: boolean): MetricRecord {
  const values = cases.map(({ value }) => value);
  return {
    value: ofProcess ? median(values) : mean(values),
    unit: cases[0]!.unit,
    samples: cases.flatMap(({ samples }) => samples),
  };
}
