import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { CaseComparison, Comparison, Explanation, StatementChange } from '../../comparison/comparison.ts';
import { cpuTime, latency, perRequest, size } from '../../format/figures.ts';
import { type Inline, joined } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { clippedText } from './clipped-text.ts';
import { judgedIn, metricOf } from './endpoint-groups.ts';
import { caseFindings } from './findings.ts';

/** Where the extra cost of what got worse went: one line per endpoint or service, from the first of its rows. */
export function explanations(comparison: Comparison, labels: CaseLabels): Inline[] {
  const byName = explanationsByName(comparison, labels);
  const isOnly = byName.size === 1;
  return [...byName].map(([name, said]) => [{ strong: 'Where it went' }, isOnly ? ': ' : ` (${name}): `, said, '.']);
}

/** The same by the endpoint's name, as `CaseLabels.short` has it. */
export function explanationsByName(comparison: Comparison, labels: CaseLabels): Map<string, Inline> {
  // Of a service of which some endpoints changed, these say more.
  const order = caseFindings(comparison).filter(
    ({ kind, findings: [{ level }] }) => kind !== 'improvement' && level !== 'service',
  );
  const byKey = new Map(judgedIn(comparison).map((each) => [each.key, each]));
  const byEndpoint = new Map<string, Inline>();
  for (const { key } of order) {
    const each = byKey.get(key);
    const said = each?.explanation == null ? [] : explanationParts(...asShown(each.explanation, each));
    const name = labels.short(key);
    if (said.length > 0 && !byEndpoint.has(name)) byEndpoint.set(name, joined(said, '. '));
  }
  return byEndpoint;
}

/**
 * With parts that sum to what the tables show. Their figures are of trials in which each side ran by itself, and the parts are of trials
 * with both under load, where a request costs more on either side.
 */
function asShown(explanation: Explanation, each: CaseComparison): [shown: Explanation, isOfDuets: boolean] {
  const compared = metricOf(each, 'cpu-per-request');
  const candidate = compared === null ? null : candidateFigure(compared);
  const [cpuUs, isOfDuets] = summingTo(explanation.cpuUs, differenceOf(compared?.baseline ?? null, candidate));
  return [{ ...explanation, memoryBytes: peakMemory(each) ?? explanation.memoryBytes, cpuUs }, isOfDuets];
}

function differenceOf(baseline: number | null, candidate: number | null): number | null {
  return baseline === null || candidate === null ? null : candidate - baseline;
}

/** Parts that contradict the whole, or nearly cancel each other out, stay as they were measured: the second is true then. */
function summingTo(parts: CpuParts | null, whole: number | null): [parts: CpuParts | null, isOfDuets: boolean] {
  if (parts === null || whole === null) return [parts, false];
  const factor = whole / (parts.service + parts.database + (parts.dependencies ?? 0));
  if (!(factor >= 1 / MOST_SCALED && factor <= MOST_SCALED)) return [parts, true];
  const { service, database, dependencies } = parts;
  const beside = dependencies === undefined ? {} : { dependencies: factor * dependencies };
  return [{ service: factor * service, database: factor * database, ...beside }, false];
}

type CpuParts = NonNullable<Explanation['cpuUs']>;
/** A request costs more where both sides share the CPUs, but hardly more than this. */
const MOST_SCALED = 2;

/** As the tables show it; null where it is not compared. */
function peakMemory(each: CaseComparison): Explanation['memoryBytes'] {
  const compared = metricOf(each, 'memory-peak');
  const candidate = compared === null ? null : candidateFigure(compared);
  const baseline = compared?.baseline ?? null;
  return baseline === null || candidate === null ? null : { baseline, candidate };
}

function explanationParts({ cpuUs, memoryBytes, statements, syscalls }: Explanation, isOfDuets: boolean): Inline[] {
  const parts: Inline[] = [];
  if (cpuUs !== null) {
    const database = cpuUs.database === 0 ? '' : `, database ${plus(cpuUs.database, cpuTime)}`;
    const beside = cpuUs.dependencies ?? 0;
    const dependencies = beside === 0 ? '' : `, dependencies ${plus(beside, cpuTime)}`;
    parts.push(
      `server ${plus(cpuUs.service, cpuTime)}${database}${dependencies} of CPU per request${isOfDuets ? ', as measured with both sides under load at once' : ''}`,
    );
  }
  if (memoryBytes !== null && isDifferent(memoryBytes.baseline, memoryBytes.candidate)) {
    const { baseline, candidate } = memoryBytes;
    parts.push(
      `${parts.length === 0 ? 'peak' : 'Peak'} memory ${plus(candidate - baseline, size)} (${size(baseline)} → ${size(candidate)})`,
    );
  }
  if (syscalls !== undefined) {
    const { baseline, candidate } = syscalls;
    parts.push(
      `${parts.length === 0 ? 'system' : 'System'} calls per request ${perRequest(baseline)} → ${perRequest(candidate)}`,
    );
  }
  const changed = statements.filter(
    ({ baseline, candidate }) => baseline.calls !== candidate.calls || isDifferent(baseline.ms, candidate.ms),
  );
  return [...parts, ...changed.slice(0, 5).map(statementSaid)];
}

/** By a twentieth: less is no explanation of anything. */
function isDifferent(baseline: number, candidate: number): boolean {
  return Math.abs(candidate - baseline) >= 0.05 * baseline;
}

function plus(value: number, format: (value: number) => string): string {
  return `${value > 0 ? '+' : ''}${format(value)}`;
}

/** `new statement, 1 calls per request: SELECT …`, `statement gone`, `1 → 2 calls per request`, `0.12 ms → 0.31 ms per request`. */
function statementSaid({ query, baseline, candidate }: StatementChange): Inline {
  const text: Inline = { code: clippedText(query, 300) };
  const calls = (count: number) => `${perRequest(count)} ${count === 1 ? 'call' : 'calls'} per request`;
  if (baseline.calls === 0) return [`New statement, ${calls(candidate.calls)}: `, text];
  if (candidate.calls === 0) return [`No longer sent, ${calls(baseline.calls)} before: `, text];
  const time = `${latency(baseline.ms)} → ${latency(candidate.ms)} per request`;
  if (baseline.calls === candidate.calls) return [`${time}: `, text];
  return [`${perRequest(baseline.calls)} → ${calls(candidate.calls)}, ${time}: `, text];
}
