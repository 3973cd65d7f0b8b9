import type { MetricLimit } from '../config/resolved.ts';
import { metricNamed } from '../metrics/registry.ts';
import type { CaseRecord, MetricRecord } from '../record/run-record.ts';
import { mean } from '../statistics/moderated-variance.ts';
import { ascending, median } from '../statistics/quantile.ts';
import { type ComparedMetric, isExactlyCompared, isWatched, type Ratios } from './compared-metric.ts';
import { countDecision, countedOf } from './counts.ts';
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
 * A watched limit is one of cases alone. Memory is of the process, which serves all cases from one heap, and so of the service alone (`keptByProcess`).
 */
export function withLevels(comparedMetrics: readonly ComparedMetric[]): ComparedMetric[] {
  const judged = comparedMetrics.filter(isJudged);
  const endpoints = unitsOf(
    'endpoint',
    judged.filter(({ metric }) => !metric.ofProcess),
  );
  const ofEndpoints = judgedBy(endpoints);
  const members = [
    ...endpoints.map(({ unit }) => unit),
    ...judged.filter((comparedMetric) => !ofEndpoints.has(comparedMetric) && !isExactlyCompared(comparedMetric)),
  ];
  const services = unitsOf(
    'service',
    members.filter((comparedMetric) => !isExactlyCompared(comparedMetric)),
  );
  const ofServices = judgedBy(services);
  const cases = comparedMetrics.map((comparedMetric): ComparedMetric => {
    const unit =
      ofEndpoints.get(comparedMetric) ?? (comparedMetric.metric.ofProcess ? ofServices.get(comparedMetric) : undefined);
    if (isWatched(comparedMetric)) {
      // What is watched of a process is the same in all of its cases, and told once.
      return unit === undefined ? comparedMetric : { ...comparedMetric, judgedBy: unit, threshold: null };
    }
    if (unit !== undefined) return { ...comparedMetric, judgedBy: unit };
    // The only case of its endpoint with this limit: what is decided of the endpoint is decided here.
    return { ...comparedMetric, level: 'endpoint' };
  });
  return [...cases, ...endpoints.map(({ unit }) => unit), ...services.map(({ unit }) => unit)];
}

interface Unit {
  unit: ComparedMetric;
  members: readonly ComparedMetric[];
}

function judgedBy(units: readonly Unit[]): Map<ComparedMetric, string> {
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
  ...comparedMetric
}: ComparedMetric): boolean {
  if (!gates || baseline?.status !== 'valid' || candidate?.status !== 'valid') return false;
  if (isExactlyCompared({ metric }))
    return comparedMetric.baseline !== null && comparedMetric.candidate !== null && changeOrFall(metric, limit);
  return threshold !== null && (metric.ofProcess || !isWatched({ threshold })) && ratios !== null;
}

function changeOrFall(metric: ComparedMetric['metric'], limit: ComparedMetric['limit']): boolean {
  return changeLimit(metric, limit) !== null || limit.maxDecrease !== undefined;
}

function unitsOf(level: Exclude<Level, 'case'>, comparedMetrics: readonly ComparedMetric[]): Unit[] {
  const byPlace = new Map<string, ComparedMetric[]>();
  for (const comparedMetric of comparedMetrics) {
    const { service, endpoint } = comparedMetric.case;
    const key = level === 'service' ? serviceKey(service) : endpointKey(service, endpoint);
    const name = `${key} ${comparedMetric.metric.name}`;
    byPlace.set(name, [...(byPlace.get(name) ?? []), comparedMetric]);
  }
  return [...byPlace].flatMap(([name, all]) => {
    const key = name.slice(0, name.lastIndexOf(' '));
    const groups = limitGroups(key, all, (one) => one.threshold ?? one.limit.maxDecrease!);
    return groups.flatMap(({ key: own, own: members }) =>
      members.length < 2 ? [] : [{ unit: unitOf(level, own, members), members }],
    );
  });
}

function unitOf(level: Exclude<Level, 'case'>, key: string, members: readonly ComparedMetric[]): ComparedMetric {
  const first = members[0]!;
  const { metric, case: some } = first;
  const namesOf = ([, , path]: readonly string[]) => [
    key,
    some.service,
    ...(level === 'service' || path === undefined ? [] : [path]),
  ];
  const shared = {
    ...first,
    level,
    judgedBy: null,
    caseKeys: members.flatMap(({ caseKeys }) => caseKeys),
    isToldApart: members.some(({ isToldApart }) => isToldApart),
    case: {
      ...some,
      key,
      endpoint: level === 'service' ? '*' : some.endpoint,
      names: namesOf(some.names),
      limitNames: namesOf(some.limitNames),
    },
  };
  // All cases of an endpoint have the counts of the same passes, but for those by another route: the worst one speaks.
  if (isExactlyCompared(first)) {
    const { baseline, candidate, limit, threshold } = worstOf(members);
    return withRecords({ ...shared, limit: ofChange(limit), threshold }, members, { baseline, candidate });
  }
  const baseline = figureOf(
    members.map((each) => each.baseline!),
    metric.ofProcess,
  );
  const candidate = figureOf(
    members.map((each) => each.candidate!),
    metric.ofProcess,
  );
  const ratios = metric.ofProcess ? ratiosOfProcess(members) : ratiosTogether(level, members);
  const isAlike = members.every(({ basis }) => basis.mode === first.basis.mode);
  return {
    ...withRecords(shared, members, { baseline, candidate }),
    basis: isAlike ? first.basis : { ...first.basis, mode: 'interleaved' },
    limit: ofChange(first.limit),
    ratios,
    pairs: members.flatMap(({ pairs }) => pairs),
    note: joinedNotes(members),
  };
}

/** A level is held to each case, in which it is broken or not. */
function ofChange({ maxIncrease, maxDecrease }: MetricLimit): MetricLimit {
  return {
    ...(maxIncrease === undefined ? {} : { maxIncrease }),
    ...(maxDecrease === undefined ? {} : { maxDecrease }),
  };
}

/**
 * Of an endpoint its cases are one group, each with its own weight; of a service each endpoint is a group. A limit that is no
 * percentage is another share of each member: the borders are the mean of theirs, as the value of a round is the mean of their
 * values, so that what stays within the limit everywhere stays within it here.
 */
function ratiosTogether(level: Level, members: readonly ComparedMetric[]): Ratios {
  const own = members.map(({ ratios }) => ({
    series: ratios!.groups.flat(),
    threshold: ratios!.threshold,
    improvement: ratios!.improvement ?? ratios!.threshold,
    weight: level === 'endpoint' ? ratios!.groups[0]![0]!.weight : 1,
  }));
  const weight = own.reduce((sum, each) => sum + each.weight, 0);
  const keepsWeights = members.some(
    ({ ratios }) =>
      ratios!.keepsWeights ||
      ratios!.threshold !== own[0]!.threshold ||
      ratios!.improvement !== members[0]!.ratios!.improvement,
  );
  const together = (key: 'threshold' | 'improvement') =>
    own.reduce((sum, each) => sum + each.weight * each[key], 0) / weight;
  return {
    groups: level === 'endpoint' ? [own.flatMap(({ series }) => series)] : own.map(({ series }) => series),
    ...(keepsWeights ? { keepsWeights } : {}),
    threshold: together('threshold'),
    improvement: together('improvement'),
  };
}

/** A limit that is not a percentage is a share of what the baseline's process keeps. */
function ratiosOfProcess(members: readonly ComparedMetric[]): Ratios {
  const { metric, threshold } = members[0]!;
  const borders = logBorders(metric, threshold!, lowest(members.map(({ baseline }) => baseline!.value)));
  return { groups: [[keptByProcess(members)]], threshold: borders.worse, improvement: borders.better };
}

/** Of the cases of a round, whose peaks tell what the process keeps. */
const LOWEST_SHARE = 0.25;

function lowest(values: readonly number[]): number {
  return mean(ascending(values).slice(0, Math.max(1, Math.round(LOWEST_SHARE * values.length))));
}

/**
 * What the process keeps, whatever it is asked for: of each side the mean of the lowest quarter of a round's peaks. When a garbage
 * collector runs scatters a peak by some 10 % from round to round (Node.js), and for seconds on end; the median over 20 cases
 * by 8 %, the lowest quarter by 5 %. A case that needs more for itself shows that by itself. What each round has of one case alone is
 * taken as it is.
 */
function keptByProcess(members: readonly ComparedMetric[]): CaseSeries {
  const { better, inDuets } = members[0]!.metric;
  const sign = better === 'lower' ? 1 : -1;
  const isOfOneCase = inDuets === 'solo beside them';
  const rounds = new Map<number, { pairs: ValuePair[]; cases: Set<ComparedMetric> }>();
  for (const member of members) {
    for (const pair of valuePairs(member.baseline, member.candidate, member.metric, member.basis)) {
      const known = rounds.get(pair.round) ?? { pairs: [], cases: new Set() };
      known.pairs.push(pair);
      known.cases.add(member);
      rounds.set(pair.round, known);
    }
  }
  const values = [...rounds]
    .filter(([, { cases }]) => isOfOneCase || cases.size >= members.length / 2)
    .sort(([one], [other]) => one - other)
    .map(([round, { pairs }]) => {
      const [was, is] = [pairs.map(({ baseline }) => baseline), pairs.map(({ candidate }) => candidate)];
      return { round, value: sign * Math.log(lowest(is!) / lowest(was!)) };
    });
  return { values, weight: 1 };
}

function joinedNotes(members: readonly ComparedMetric[]): string | null {
  const notes = new Set(members.flatMap(({ note }) => note ?? []));
  return notes.size === 0 ? null : [...notes].join('; ');
}

/** By what is found of it under its own limit, a fall that is limited among it; of several alike the one that rose most. */
function worstOf(members: readonly ComparedMetric[]): ComparedMetric {
  const severity = (member: ComparedMetric) => {
    const { baseline, candidate, limit } = member;
    return ['inconclusive', 'regression'].indexOf(
      countDecision(countedOf(member), baseline!, candidate!, limit).verdict!,
    );
  };
  const rise = ({ baseline, candidate }: ComparedMetric) => candidate!.value - baseline!.value;
  const found = members.map((each) => ({ each, severity: severity(each), rise: rise(each) }));
  return found.reduce((worst, one) =>
    one.severity > worst.severity || (one.severity === worst.severity && one.rise > worst.rise) ? one : worst,
  ).each;
}

/** The members as one case on each side. */
function withRecords(
  comparedMetric: ComparedMetric,
  members: readonly ComparedMetric[],
  figures: Pick<ComparedMetric, 'baseline' | 'candidate'>,
): ComparedMetric {
  const { case: compared } = comparedMetric;
  const side = (variant: 'baseline' | 'candidate') =>
    recordOf(
      compared,
      members.map((member) => member.case[variant]!),
    );
  return {
    ...comparedMetric,
    ...figures,
    case: { ...compared, baseline: side('baseline'), candidate: side('candidate') },
  };
}

/** Their figures together; statements are those of an endpoint, and of several of them nobody's. */
function recordOf({ key, endpoint }: ComparedMetric['case'], cases: readonly CaseRecord[]): CaseRecord {
  const [first] = cases as [CaseRecord, ...CaseRecord[]];
  const names = new Set(cases.flatMap(({ metrics }) => Object.keys(metrics)));
  const metrics = [...names].map((name) => {
    const own = cases.flatMap((each) => (Object.hasOwn(each.metrics, name) ? each.metrics[name]! : []));
    return [name, figureOf(own, metricNamed(name)?.ofProcess === true)] as const;
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
