import type { Case } from '../config/case.ts';
import { casesOf } from '../config/cases.ts';
import type { Endpoint, Load, ResolvedSpec } from '../config/resolved.ts';
import { GENERATOR_NAMES } from '../generators/registry.ts';
import type { Reason } from '../measurement/names.ts';
import { REDACTED } from '../record/redaction.ts';
import { canonicalText } from './canonical.ts';
import { restored } from './restored.ts';

export interface BaselineSide {
  /**
   * What is started: services, environment, database and gateway of the baseline's own spec, load and placement of
   * the candidate's. Its gate is the baseline's, so that a change cannot loosen its own. Its endpoints are those that both
   * specs ask for alike, each with the answer that the baseline's own spec expects: it is not asked for what it never had.
   */
  spec: ResolvedSpec;
  /** Cases that the baseline has by its own spec, and the candidate has not. */
  missing: Case[];
  warnings: Reason[];
}

/**
 * What both specs come to. `--only` and the like are for the caller to apply to both alike. `specLoad` is what the
 * candidate's file has, where this run loads for a shorter time (`--quick`, or beside an anchor): that is no difference
 * between the specs.
 */
export function baselineSide(
  candidate: ResolvedSpec,
  own: ResolvedSpec,
  specLoad: Load = candidate.load,
): BaselineSide {
  const { load, placement, name } = candidate;
  const { spec: baseline, kept } = restored(own, candidate);
  return {
    spec: { ...baseline, name, endpoints: endpointsOfBoth(candidate, baseline), load, placement },
    missing: missingCases(candidate, baseline),
    warnings: [
      ...kept,
      ...roleWarnings(candidate, baseline),
      ...differences({ ...candidate, load: specLoad }, baseline),
    ],
  };
}

/**
 * A generator, endpoint, route or service that is gone takes its cases with it; other numbers of connections or another
 * rate only name the same cases anew, and both sides are measured with the candidate's. A subject that became a reference
 * is gone as well: a change cannot take it out of its own gate.
 */
export function missingCases(candidate: ResolvedSpec, baseline: ResolvedSpec): Case[] {
  const load = { ...candidate.load };
  Object.assign(load, Object.fromEntries(GENERATOR_NAMES.map((name) => [name, load[name] ?? baseline.load[name]])));
  const left = new Set(whatLeftGate(candidate, baseline));
  const cases = casesOf(candidate).filter(({ service }) => !left.has(service.name));
  const here = new Set(cases.map(({ key }) => key));
  // What only calibrated gated nothing.
  return casesOf({ ...baseline, load }).filter(({ key, service }) => service.role === 'subject' && !here.has(key));
}

/**
 * An answer that is to have another status counts as another request: the generators are told one status for both sides.
 */
function endpointsOfBoth(candidate: ResolvedSpec, baseline: ResolvedSpec): Endpoint[] {
  return candidate.endpoints.flatMap((endpoint) => {
    const before = baseline.endpoints.find(({ name }) => name === endpoint.name);
    return before !== undefined && sameRequest(before, endpoint) ? [{ ...endpoint, expect: before.expect }] : [];
  });
}

/** Services that are subjects of the baseline's spec, and references, which nothing gates, of the candidate's. */
function whatLeftGate(candidate: ResolvedSpec, baseline: ResolvedSpec): string[] {
  const references = candidate.services.filter(({ role }) => role === 'reference').map(({ name }) => name);
  return baseline.services.flatMap(({ name, role }) => (role === 'subject' && references.includes(name) ? [name] : []));
}

/** What changed its role, and that the baseline's goes for what it gates. */
export function roleWarnings(candidate: ResolvedSpec, baseline: ResolvedSpec): Reason[] {
  const left = whatLeftGate(candidate, baseline);
  return candidate.services.flatMap(({ name, role }) => {
    const before = baseline.services.find((service) => service.name === name)?.role;
    if (before === undefined || before === role) return [];
    const gated = left.includes(name)
      ? ' It stays in the gate, since a change cannot take a service out of its own.'
      : '';
    const message = `${name} is a ${role} in the candidate's spec and a ${before} in the baseline's.${gated}`;
    return [{ code: 'role-changed', message }];
  });
}

function differences(candidate: ResolvedSpec, baseline: ResolvedSpec): Reason[] {
  const changed = (differ: (before: Endpoint, now: Endpoint) => boolean) =>
    candidate.endpoints
      .filter((endpoint) => {
        const before = baseline.endpoints.find(({ name }) => name === endpoint.name);
        return before !== undefined && differ(before, endpoint);
      })
      .map(({ name }) => name)
      .join(', ');
  const requests = changed((before, now) => !sameRequest(before, now));
  const answers = changed((before, now) => sameRequest(before, now) && !sameAnswer(before, now));
  const warnings: Reason[] = [];
  if (requests !== '') {
    const message = `The requests of ${requests}, or the status of their answers, differ between both specs: their cases count as new and are not compared.`;
    warnings.push({ code: 'endpoints-differ', message });
  }
  if (answers !== '') {
    const message = `The answers that both specs expect of ${answers} differ; each side is held to those of its own.`;
    warnings.push({ code: 'answers-differ', message });
  }
  if (canonicalText(candidate.load) !== canonicalText(baseline.load)) {
    const message = "The load differs between both specs; both sides are loaded as the candidate's has it.";
    warnings.push({ code: 'load-differs', message });
  }
  return warnings;
}

function sameRequest(one: Endpoint, other: Endpoint): boolean {
  const shown = ({ method, path, body, expect }: Endpoint) => canonicalText([method, path, body, expect.status]);
  return shown(one) === shown(other) && sameHeaders(one.headers, other.headers);
}

function sameAnswer(one: Endpoint, other: Endpoint): boolean {
  return canonicalText(one.expect) === canonicalText(other.expect);
}

/** A header that a record leaves out tells nothing. */
function sameHeaders(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    const values = [one[name], other[name]];
    return values[0] === values[1] || values.includes(REDACTED);
  });
}
