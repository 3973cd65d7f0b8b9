import type { Diagnostic } from '../config/diagnostics.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { readYaml } from '../config/yaml.ts';
import { budgetSecondsOf, neededBudget } from './budget.ts';
import { AUTO_BUDGET_SECONDS } from './duets.ts';
import { durationText } from './duration-text.ts';
import { MOST_WAIT_SECONDS } from './fitting-load.ts';
import type { Plan } from './plan.ts';
import { pullRequestSeconds } from './pull-request-time.ts';

const BUDGET = ['gate', 'budget'];

/** Of what a pull request may wait for: nobody wants to be told to wait longer than that. */
const LONG_WAIT = 0.75;

/** A written budget that cannot see twice each limit, where another one sees more; `text` is the spec's own. */
export function budgetWarnings(
  spec: ResolvedSpec,
  plan: Pick<Plan, 'services'>,
  text: string,
  fileName: string,
): Diagnostic[] {
  const { baseline, budgetSeconds } = spec.gate;
  if (budgetSeconds === null || baseline === 'none' || baseline === 'stored') return [];
  const needed = neededBudget(spec, plan);
  const best = needed.isEnough ? needed.seconds : autoSeconds(spec, plan);
  const { source } = readYaml(text, fileName);
  if (best <= budgetSeconds || source === null) return [];
  if (pullRequestSeconds(spec, plan, budgetSeconds) > LONG_WAIT * MOST_WAIT_SECONDS) return [];
  const written = String(source.at(BUDGET));
  const minutes = `${Math.ceil(best / 60)}m`;
  const message = `gate.budget is ${written}: ${needed.isEnough ? enough(best, minutes) : neverEnough(best)}`;
  return [
    source.aboutValue(BUDGET, { code: 'short-budget', message, found: written, expected: `at least ${minutes}` }),
  ];
}

function autoSeconds(spec: ResolvedSpec, plan: Pick<Plan, 'services'>): number {
  return budgetSecondsOf({ ...spec, gate: { ...spec.gate, budgetSeconds: null } }, plan);
}

function enough(seconds: number, minutes: string): string {
  const leftOut = seconds <= AUTO_BUDGET_SECONDS.most ? ', or leave it out' : '';
  return `seeing twice each limit takes about ${durationText(seconds)}. Set gate.budget to ${minutes}${leftOut}.`;
}

function neverEnough(seconds: number): string {
  return `no budget is enough to see twice each limit, and ${durationText(seconds)} see more. Leave it out, or raise the limits that take more.`;
}
