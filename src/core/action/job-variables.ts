import { type NamedVariable, variablesOf } from '../config/caller-variables.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import type { RegistryLogin } from '../topology/docker-logins.ts';
import type { ActionInputs } from './inputs.ts';
import type { JobFacts } from './job-facts.ts';

/** Lines `NAME=value`, by which a reusable workflow hands on what it cannot name. */
export const HANDED_ON = 'WRKBENCH_SECRETS';

/**
 * The variables that specs of this job may have: those that the workflow lists in `secrets`, by their names. None of them in a run of a
 * fork's pull request, whoever has set them: its code would read them. One without a value is one that GitHub has not handed over.
 */
export function jobVariables(
  { secrets }: Pick<ActionInputs, 'secrets'>,
  facts: Pick<JobFacts, 'pullRequest'>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (isOfFork(facts)) return {};
  const handedOn = linesOf(environment[HANDED_ON] ?? '');
  const given = secrets.flatMap((name) => {
    const value = handedOn.get(name) ?? environment[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/**
 * What registries let this job in by: what the workflow lists, beside what the machine has. Null in a run of a fork's pull request: that
 * has no login at all, not even one of the machine's.
 */
export function jobLogins(
  { registries }: Pick<ActionInputs, 'registries'>,
  facts: Pick<JobFacts, 'pullRequest'>,
): readonly RegistryLogin[] | null {
  return isOfFork(facts) ? null : registries;
}

function linesOf(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line));
  return new Map(lines.flatMap((match) => (match === null ? [] : [[match[1]!, match[2]!] as const])));
}

/** Why a spec is not measured in this job: a sentence, where it is a fork's and wants a secret; null where it may be. */
export function withheldFrom(spec: ResolvedSpec, facts: Pick<JobFacts, 'pullRequest'>): string | null {
  const named = variablesOf(spec);
  if (named.length === 0 || !isOfFork(facts)) return null;
  return `This pull request comes from a fork, whose run gets no secret, and the spec names ${namesText(named)}: it is not measured. Push the change to a branch of this repository to measure it.`;
}

function namesText(named: readonly NamedVariable[]): string {
  return named.map(({ name, place }) => `\`\${env.${name}}\` (${place})`).join(', ');
}

function isOfFork({ pullRequest }: Pick<JobFacts, 'pullRequest'>): boolean {
  return pullRequest?.fromFork ?? false;
}
