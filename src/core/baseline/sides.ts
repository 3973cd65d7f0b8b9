import { type Case, casesOf } from '../config/case.ts';
import type { Endpoint, Load, ResolvedSpec } from '../config/resolved.ts';
import type { LoadDefinition, SpecLoad } from '../generators/load.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import type { Reason } from '../measurement/names.ts';
import { optionalWarnings } from './absent-services.ts';
import { canonicalText } from './canonical.ts';
import { dependencyWarnings } from './dependency-difference.ts';
import { governedLogin, loginWarnings } from './governed-login.ts';
import { governedGateway, governedServices, governedWarnings } from './governed-services.ts';
import { endpointsAskedOtherwise, withRequestsOf } from './held-requests.ts';
import { restored } from './restored.ts';

export interface BaselineSide {
  /**
   * What is started: services, environment, database, dependencies and gateway of the baseline's own spec, placement of the candidate's. Both
   * sides are asked its requests (see `heldTo`) and loaded by its load (see `loadOfBoth`). Its gate is the baseline's, so that a
   * change cannot loosen its own. Its endpoints are those that both specs have: it is not asked for what it never had. A service that
   * cannot be asked the same on both sides is not among its services.
   */
  spec: ResolvedSpec;
  /** Cases that the baseline has by its own spec, and the candidate has not, or only under the same name. */
  missing: Case[];
  warnings: Reason[];
}

export interface BaselineSideOptions {
  /** How this run loads for a shorter time (`--quick`, or beside an anchor). */
  shortened?(spec: ResolvedSpec): ResolvedSpec;
  /**
   * The spec that says what is asked, and how, where that is not the baseline's own: a pull request is gated by the requests of
   * what it is merged into, whatever program it is held against.
   */
  governing?: ResolvedSpec | null;
}

/** What both specs come to, each as its file has it. `--only` and the like are for the caller to apply to both alike. */
export function baselineSide(
  candidate: ResolvedSpec,
  own: ResolvedSpec,
  { shortened = (spec) => spec, governing = null }: BaselineSideOptions = {},
): BaselineSide {
  const { placement, name } = candidate;
  const { spec: baseline, unknown, kept } = restored(governing === null ? own : heldTo(governing, own), candidate);
  const apart = servicesApart(candidate, baseline);
  const { load, services } = shortened({ ...baseline, load: loadOfBoth(candidate.load, baseline.load) });
  const isApart = ({ service, endpoint }: Case) => apart.names.has(service.name) || unknown.includes(endpoint.name);
  const whole = { ...baseline, endpoints: (governing ?? own).endpoints };
  return {
    spec: {
      ...baseline,
      name,
      services: services.filter((service) => !apart.names.has(service.name)),
      endpoints: endpointsOfBoth(candidate, baseline),
      load,
      placement,
    },
    missing: missingCases(candidate, whole, isApart),
    warnings: [
      ...kept,
      ...roleWarnings(candidate, baseline),
      ...optionalWarnings(candidate, baseline),
      ...governedWarnings(candidate, baseline),
      ...loginWarnings(candidate, baseline),
      ...networkWarnings(candidate, baseline),
      ...dependencyWarnings(candidate, baseline),
      ...apart.warnings,
      ...differences(candidate, baseline),
    ],
  };
}

/**
 * The spec as it is measured beside a baseline's: asked what that asks, loaded as that says, through a gateway that it configures.
 * What a service is stays its own.
 */
export function heldTo(baseline: ResolvedSpec, spec: ResolvedSpec): ResolvedSpec {
  const asked = withRequestsOf(baseline, spec) ?? spec;
  return {
    ...asked,
    load: baseline.load,
    services: governedServices(asked, baseline),
    gateway: governedGateway(asked.gateway, baseline.gateway),
    ...governedLogin(asked, baseline),
  };
}

/** Services that both specs have, and that cannot be asked the same: their cases are gone, and those of the candidate new. */
function servicesApart(candidate: ResolvedSpec, baseline: ResolvedSpec): { names: Set<string>; warnings: Reason[] } {
  const both = candidate.services.flatMap((service) => {
    const before = baseline.services.find(({ name }) => name === service.name);
    return before === undefined ? [] : [{ service, before }];
  });
  const until = 'nothing compares them, and this fails until their removal is accepted by name.';
  if (withRequestsOf(baseline, candidate) === null) {
    const names = both.map(({ service: { name } }) => name);
    const message = `The base path of ${names.join(', ')} changed together with endpoints that are new, so that not both sides can be asked the baseline's requests: ${until} Change the base path by itself.`;
    return { names: new Set(names), warnings: [{ code: 'requests-apart', message }] };
  }
  const others = both.filter(({ service, before }) => service.protocol !== before.protocol);
  const warnings = others.map(({ service, before }): Reason => {
    const message = `${service.name} is asked in ${service.protocol} by the candidate's spec, and in ${before.protocol} by the baseline's: these are other requests, ${until}`;
    return { code: 'requests-apart', message };
  });
  return { names: new Set(others.map(({ service: { name } }) => name)), warnings };
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
  return { ...(Object.fromEntries(loads) as Pick<Load, GeneratorName>), warmUp, coolDownSeconds };
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
 * rate. A subject that became a reference is gone as well: a change cannot take it out of its own gate. `isApart` tells of a case
 * of the baseline's that the candidate has only by name.
 */
export function missingCases(
  candidate: ResolvedSpec,
  baseline: ResolvedSpec,
  isApart: (testCase: Case) => boolean = () => false,
): Case[] {
  const left = new Set(whatLeftGate(candidate, baseline));
  const cases = casesOf(candidate).filter(({ service }) => !left.has(service.name));
  const here = new Set(cases.map(({ key }) => key));
  // What only calibrated gated nothing.
  const gated = casesOf(baseline).filter(({ service }) => service.role === 'subject');
  return gated.filter((each) => !here.has(each.key) || isApart(each));
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
  const others = endpointsAskedOtherwise(candidate, baseline);
  const answers = candidate.endpoints.flatMap((endpoint) => {
    const before = baseline.endpoints.find(({ name }) => name === endpoint.name);
    return before === undefined || others.has(endpoint.name) || sameAnswer(before, endpoint) ? [] : [endpoint.name];
  });
  const warnings: Reason[] = [];
  if (others.size > 0) warnings.push(requestsWarning([...others]));
  if (answers.length > 0) {
    const message = `The answers that both specs expect of ${answers.join(', ')} differ; each side is held to those of its own.`;
    warnings.push({ code: 'answers-differ', message });
  }
  if (canonicalText(candidate.load) !== canonicalText(baseline.load)) {
    const message =
      "The load differs between both specs: which cases there are is the candidate's, how they are loaded is the baseline's.";
    warnings.push({ code: 'load-differs', message });
  }
  return warnings;
}

function requestsWarning(endpoints: readonly string[]): Reason {
  const names = endpoints.join(', ');
  const message =
    endpoints.length === 1
      ? `The new request of ${names} is not in the gate of this change: both sides are asked the baseline's, and it is measured once the baseline has it.`
      : `The new requests of ${names} are not in the gate of this change: both sides are asked the baseline's, and they are measured once the baseline has them.`;
  return { code: 'requests-differ', message };
}

function sameAnswer(one: Endpoint, other: Endpoint): boolean {
  return canonicalText(one.expect) === canonicalText(other.expect);
}
