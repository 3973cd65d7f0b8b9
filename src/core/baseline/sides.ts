import type { Case } from '../config/case.ts';
import { casesOf } from '../config/cases.ts';
import type { Endpoint, GeneratorLoads, Load, ResolvedSpec } from '../config/resolved.ts';
import type { LoadDefinition, SpecLoad } from '../generators/load.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import type { Reason } from '../measurement/names.ts';
import { optionalWarnings } from './absent-services.ts';
import { canonicalText } from './canonical.ts';
import { governedWarnings } from './governed-services.ts';
import { restored } from './restored.ts';

export interface BaselineSide {
  /**
   * What is started: services, environment, database and gateway of the baseline's own spec, placement of the candidate's. Both
   * sides are loaded by its load: see `loadOfBoth`. Its gate is the baseline's, so that a change cannot loosen its own. Its endpoints are those of both specs,
   * each with the request and the answer of the baseline's own: it is not asked for what it never had, and a change of the
   * request is no way out of the gate.
   */
  spec: ResolvedSpec;
  /** Cases that the baseline has by its own spec, and the candidate has not. */
  missing: Case[];
  warnings: Reason[];
}

/**
 * What both specs come to, each as its file has it. `--only` and the like are for the caller to apply to both alike. `shortened` is
 * how this run loads for a shorter time (`--quick`, or beside an anchor).
 */
export function baselineSide(
  candidate: ResolvedSpec,
  own: ResolvedSpec,
  shortened: (spec: ResolvedSpec) => ResolvedSpec = (spec) => spec,
): BaselineSide {
  const { placement, name } = candidate;
  const { spec: baseline, kept } = restored(own, candidate);
  const { load, services } = shortened({ ...baseline, load: loadOfBoth(candidate.load, baseline.load) });
  return {
    spec: { ...baseline, name, services, endpoints: endpointsOfBoth(candidate, baseline), load, placement },
    missing: missingCases(candidate, baseline),
    warnings: [
      ...kept,
      ...roleWarnings(candidate, baseline),
      ...optionalWarnings(candidate, baseline),
      ...governedWarnings(candidate, baseline),
      ...networkWarnings(candidate, baseline),
      ...differences(candidate, baseline),
    ],
  };
}

/**
 * Which cases there are is the candidate's: its generators, connections, keep-alive and rates. How such a case is loaded (how long,
 * with which timeout, script and warm-up) is the baseline's, where that has it: a change cannot soften what it is measured by.
 */
function loadOfBoth(candidate: Load, baseline: Load): Load {
  const loads = GENERATOR_NAMES.map((name) => {
    const [own, before] = [candidate[name], baseline[name]];
    return [name, own === null || before === null ? own : governed(name, own, before)];
  });
  const { warmUp, coolDownSeconds } = baseline;
  return { ...(Object.fromEntries(loads) as GeneratorLoads), warmUp, coolDownSeconds };
}

function governed(name: GeneratorName, own: SpecLoad, before: SpecLoad): SpecLoad {
  const definition: LoadDefinition = generators[name].load;
  const { connections, keepAlive } = own;
  const suffix = (load: SpecLoad) => definition.keySuffix(definition.ofCase(load, connections[0]!));
  // At another rate all of its cases are others.
  return suffix(own) === suffix(before) ? { ...before, connections, keepAlive } : own;
}

/**
 * What the baseline gates and the candidate has no more: a service, an endpoint, a route, a generator, a number of connections, a
 * rate. A subject that became a reference is gone as well: a change cannot take it out of its own gate.
 */
export function missingCases(candidate: ResolvedSpec, baseline: ResolvedSpec): Case[] {
  const left = new Set(whatLeftGate(candidate, baseline));
  const cases = casesOf(candidate).filter(({ service }) => !left.has(service.name));
  const here = new Set(cases.map(({ key }) => key));
  // What only calibrated gated nothing.
  return casesOf(baseline).filter(({ key, service }) => service.role === 'subject' && !here.has(key));
}

function endpointsOfBoth(candidate: ResolvedSpec, baseline: ResolvedSpec): Endpoint[] {
  return candidate.endpoints.flatMap(({ name }) => baseline.endpoints.filter((before) => before.name === name));
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

/** Like all that a service is, its network is each side's own: a side that needs the way out, or has none to need, starts all the same. */
function networkWarnings(candidate: ResolvedSpec, baseline: ResolvedSpec): Reason[] {
  return candidate.services.flatMap(({ name, network }) => {
    const before = baseline.services.find((service) => service.name === name)?.network;
    if (before === undefined || before === network) return [];
    const message = `The network of ${name} is ${network} in the candidate's spec and ${before} in the baseline's: each side has that of its own.`;
    return [{ code: 'network-differs', message }];
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
  const answers = changed((before, now) => !sameAnswer(before, now));
  const warnings: Reason[] = [];
  if (requests !== '') {
    const message = `The requests of ${requests} differ between both specs: each side is sent those of its own, and what they cost more or less is part of the change.`;
    warnings.push({ code: 'requests-differ', message });
  }
  if (answers !== '') {
    const message = `The answers that both specs expect of ${answers} differ; each side is held to those of its own.`;
    warnings.push({ code: 'answers-differ', message });
  }
  if (canonicalText(candidate.load) !== canonicalText(baseline.load)) {
    const message =
      "The load differs between both specs: which cases there are is the candidate's, how they are loaded is the baseline's.";
    warnings.push({ code: 'load-differs', message });
  }
  return warnings;
}

function sameRequest(one: Endpoint, other: Endpoint): boolean {
  const shown = ({ method, path, headers, body }: Endpoint) => canonicalText([method, path, headers, body]);
  return shown(one) === shown(other);
}

function sameAnswer(one: Endpoint, other: Endpoint): boolean {
  return canonicalText(one.expect) === canonicalText(other.expect);
}
