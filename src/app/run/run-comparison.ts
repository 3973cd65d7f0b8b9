import { resolve } from 'node:path';
import { ownRequests } from '../../core/baseline/held-requests.ts';
import { movedPaths } from '../../core/baseline/moved-paths.ts';
import type { Comparison } from '../../core/comparison/comparison.ts';
import { comparisonOf } from '../../core/comparison/comparison-of.ts';
import { limitsLevel } from '../../core/comparison/thresholds.ts';
import { readBaselinePhrase } from '../../core/config/baseline-phrase.ts';
import { type Case, casesOf } from '../../core/config/case.ts';
import type { GateRules, ResolvedSpec } from '../../core/config/resolved.ts';
import { isSelected } from '../../core/config/selection.ts';
import { eachHasAllServices, type Shard } from '../../core/config/shard.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { AUTO_BUDGET_SECONDS, MOST_SECONDS_TO_VERDICT, RED_SECONDS } from '../../core/plan/duets.ts';
import type { JournalHeader } from '../../core/record/journal.ts';
import type { Comparing, RunRecord, Unpaired } from '../../core/record/run-record.ts';
import type { BaselineAdapters } from '../baseline/baseline-plan.ts';
import type { PreparedBaseline } from '../baseline/prepared-baseline.ts';
import { compare } from '../compare.ts';
import type { ComparingRequest } from '../measuring/measuring.ts';

/** What a resumed run asks for. */
export function pinned(baseline: PreparedBaseline): Pick<JournalHeader['selection'], 'baseline' | 'phraseFrom'> {
  if (baseline.kind === 'none') return {};
  const { text, phraseFrom, recordDirectory } = baseline.wanted;
  if (baseline.kind === 'built') {
    const { sha, recordId } = baseline.origin;
    if (sha !== null && recordId === null) return { baseline: `commit:${sha}`, phraseFrom: 'call' };
  }
  const phrase = readBaselinePhrase(text);
  const absolute = phrase.kind === 'record' ? `record:${resolve(recordDirectory, phrase.path)}` : text;
  return { baseline: absolute, phraseFrom };
}

/** What the record says of the comparison before it begins. */
export function comparingOf(
  baseline: PreparedBaseline,
  mode: Comparing['mode'],
  accepted: Comparing['accepted'],
  context: { candidate: ResolvedSpec; event: string | null; budgetSeconds: number },
): { comparing?: Comparing; unpaired?: Unpaired } {
  if (baseline.kind === 'none') return {};
  const { candidateOrigin: candidate, warnings } = baseline;
  if (baseline.kind === 'built') {
    const { origin } = baseline;
    const gate = { ...baseline.gate, budgetSeconds: context.budgetSeconds };
    const unasked = ownRequests(context.candidate, baseline.spec);
    const moved = movedPaths(context.candidate, baseline.spec);
    const own = {
      ...(Object.keys(moved).length === 0 ? {} : { baselinePaths: moved }),
      ...(Object.keys(unasked).length === 0 ? {} : { ownRequests: unasked }),
    };
    return { comparing: { mode, baseline: origin, candidate, gate, ...own, skipped: null, warnings, accepted } };
  }
  const wanted = baseline.wanted.text;
  if (baseline.kind === 'stored') {
    return { unpaired: { wanted, baseline: baseline.origin, candidate, warnings, failed: false, accepted } };
  }
  const failed = couldNotBeHad(warnings, wanted, context.event);
  const { anchor } = context.candidate.gate;
  const alone = anchor === undefined || anchor === wanted ? [] : [anchorAlone(anchor)];
  return { unpaired: { wanted, baseline: null, candidate, warnings: [...warnings, ...alone], failed, accepted } };
}

/** There is a commit to compare with: its program could not be had, or nobody can tell which one it is. */
const CLOSED = [
  ...['shallow-checkout', 'worktree-failed', 'wrong-baseline-spec', 'baseline-not-built', 'image-not-had'],
  ...['no-base-branch', 'unrelated-histories', 'earlier-runs-of-others'],
];

/** Whether something to compare with is there, and only could not be had. A pull request has a base in any case. */
function couldNotBeHad(warnings: readonly Reason[], wanted: string, event: string | null): boolean {
  const closed = [
    ...CLOSED,
    ...(event === 'pull_request' ? ['no-repository'] : []),
    // Earlier runs were asked for, and nobody knows whether there are any.
    ...(wanted === 'stored' ? ['earlier-runs-not-read'] : []),
  ];
  return warnings.some(({ code }) => closed.includes(code));
}

function anchorAlone(anchor: string): Reason {
  const message = `The anchor ${anchor} was not compared: that takes a baseline, and there was none.`;
  return { code: 'anchor-not-compared', message };
}

export interface ComparingOptions {
  noSkip: boolean;
  /** Of the workflow; null outside of one. */
  event: string | null;
  /** Of wall clock, for comparing the whole matrix. */
  budgetSeconds: number;
}

/** Services, environment and init are each side's own; `candidate` has the requests and the load of both. */
export function comparingRequest(
  baseline: PreparedBaseline,
  mode: Comparing['mode'],
  candidate: ResolvedSpec,
  { noSkip, event, budgetSeconds, ...selection }: ComparingOptions & Selection,
): ComparingRequest | null {
  if (baseline.kind !== 'built') return null;
  const { spec, specDirectory, prepared, gate, sameOnBothSides } = baseline;
  const isAutomatic = gate.budgetSeconds === null;
  return {
    mode,
    baseline: { spec: { ...spec, load: candidate.load }, specDirectory, prepared },
    missing: missingCases(baseline, selection),
    budgetSeconds,
    extraSeconds: isAutomatic ? Math.max(0, MOST_SECONDS_TO_VERDICT - budgetSeconds) : 0,
    longestSeconds: isAutomatic ? Math.max(budgetSeconds, AUTO_BUDGET_SECONDS.most) : budgetSeconds,
    redSeconds: isAutomatic ? RED_SECONDS : Number.POSITIVE_INFINITY,
    isShort: !FULL_FIGURES.has(event ?? '') && !hasLevelLimits(gate),
    builds: gate.builds ?? 1,
    sameOnBothSides: noSkip || !mayBeSkipped(candidate, selection) ? async () => null : sameOnBothSides,
  };
}

/** All shards of a run are skipped, or none: one that lacks a service does not see whether that is the same on both sides. */
function mayBeSkipped(spec: ResolvedSpec, { only, shard }: Selection): boolean {
  const cases = casesOf(spec).filter((each) => isSelected(each, only));
  return shard === null || eachHasAllServices(cases, shard.count);
}

/** What is kept as a baseline, or published, is measured in full; a pull request is about the change. */
const FULL_FIGURES = new Set(['push', 'schedule', 'release', 'workflow_dispatch']);

/** A limit of the level is held against the published figures. */
function hasLevelLimits({ metrics, cases }: GateRules): boolean {
  return [metrics, ...Object.values(cases)].some((limits) => Object.values(limits).some(limitsLevel));
}

interface Selection {
  only: string | null;
  shard: Shard | null;
}

/** Of those that were asked for with `--only`; the first of several machines tells of all. */
export function missingCases(baseline: PreparedBaseline, { only, shard }: Selection): readonly Case[] {
  if (baseline.kind !== 'built' || (shard !== null && shard.index > 1)) return [];
  return baseline.missing.filter((each) => isSelected(each, only));
}

/** The fixed release that is to be compared with as well. */
export function anchorOf(baseline: PreparedBaseline): string | null {
  return baseline.kind === 'built' || baseline.kind === 'stored' ? (baseline.gate.anchor ?? null) : null;
}

/** Null where there is nothing to compare with. What is accepted stands in the record. */
export async function comparisonWith(
  baseline: PreparedBaseline,
  record: RunRecord,
  { failOnInconclusive, only }: { failOnInconclusive: boolean; only: string | null },
  { history }: Pick<BaselineAdapters, 'history'>,
): Promise<Comparison | null> {
  if (baseline.kind === 'built') return comparisonOf(record, { failOnInconclusive });
  if (baseline.kind !== 'stored') return null;
  const { origin, candidateOrigin, warnings } = baseline;
  const comparison = await compare(baseline.record, record, history, { failOnInconclusive, only });
  return {
    ...comparison,
    baseline: { ...comparison.baseline, origin: origin.text },
    candidate: { ...comparison.candidate, origin: candidateOrigin.text },
    warnings: [...warnings, ...comparison.warnings],
  };
}
