import type { Database, Endpoint, ResolvedSpec, Service } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { REDACTED, redactedSpec } from '../record/redaction.ts';
import { canonicalText } from './canonical.ts';

/**
 * What a spec called a secret is not in its record: the candidate's value stands in for it. `kept` says of which services, and of
 * which requests more than the secret had to be taken from the candidate.
 */
export function restored(baseline: ResolvedSpec, candidate: ResolvedSpec): { spec: ResolvedSpec; kept: Reason[] } {
  if (!isHidden(baseline)) return { spec: baseline, kept: [] };
  const shown = redactedSpec(candidate);
  const services = baseline.services.map((service) => restoredService(service, candidate, shown));
  const endpoints = baseline.endpoints.map((endpoint) => restoredEndpoint(endpoint, candidate, shown));
  const unasked = endpoints.flatMap(({ endpoint: { name }, isKnown }) => (isKnown ? [] : [name]));
  return {
    spec: {
      ...baseline,
      services: services.map(({ service }) => service),
      endpoints: endpoints.map(({ endpoint }) => endpoint),
      database: restoredDatabase(baseline.database, candidate.database),
    },
    kept: [...services.flatMap(({ kept }) => kept ?? []), ...(unasked.length === 0 ? [] : [requestWarning(unasked)])],
  };
}

function isHidden(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').includes(REDACTED);
}

/** `shown` is the candidate's spec as its own record would have it. */
function restoredService(service: Service, candidate: ResolvedSpec, shown: ResolvedSpec) {
  const at = candidate.services.findIndex(({ name }) => name === service.name);
  const [own, shownOwn] = [candidate.services[at], shown.services[at]];
  const hidden = Object.keys(service.env).filter((name) => isHidden(service.env[name]));
  const known = hidden.filter((name) => own?.env[name] !== undefined);
  const unknown = hidden.filter((name) => !known.includes(name));
  const env = Object.entries(service.env).flatMap(([name, value]) =>
    unknown.includes(name) ? [] : [[name, known.includes(name) ? own!.env[name]! : value]],
  );
  const command = service.command && restoredCommand(service.command, own?.command ?? [], shownOwn?.command ?? []);
  if (isHidden(service.command)) (isHidden(command) ? unknown : known).push('the secrets of its command');
  const ready = isHidden(service.ready) && own !== undefined ? own.ready : service.ready;
  return {
    service: { ...service, env: Object.fromEntries(env), command, ready },
    kept: known.length + unknown.length === 0 ? null : warning(service.name, known, unknown),
  };
}

/** With the candidate's password; with one made for the run where that has none. */
function restoredDatabase(database: Database | null, candidate: Database | null): Database | null {
  if (database === null || !isHidden(database.password)) return database;
  const { password: _, ...rest } = database;
  return candidate?.password === undefined ? rest : { ...rest, password: candidate.password };
}

function warning(service: string, known: readonly string[], unknown: readonly string[]): Reason {
  const said = [
    known.length > 0 ? `${known.join(', ')} as the candidate has it` : '',
    unknown.length > 0 ? `${unknown.join(', ')} not at all` : '',
  ].filter((part) => part !== '');
  const message = `A record holds no secrets: the baseline of ${service} gets ${said.join(', and ')}.`;
  return { code: 'redacted-environment', message };
}

/** Word by word: the candidate's that is the same without its secret, behind the same word. */
function restoredCommand(recorded: readonly string[], own: readonly string[], shown: readonly string[]): string[] {
  return recorded.map((word, index) => {
    if (!isHidden(word)) return word;
    const at = shown.findIndex((each, place) => each === word && shown[place - 1] === recorded[index - 1]);
    return own[at] ?? word;
  });
}

/**
 * Each part that is the same as the candidate's but for what both leave out: that they differ cannot be told. A request with a
 * secret that is not known cannot be sent: path, body and headers that hide one are then the candidate's (`isKnown` false).
 */
function restoredEndpoint(
  endpoint: Endpoint,
  candidate: ResolvedSpec,
  shown: ResolvedSpec,
): { endpoint: Endpoint; isKnown: boolean } {
  const at = candidate.endpoints.findIndex(({ name }) => name === endpoint.name);
  if (at < 0 || !isHidden(endpoint)) return { endpoint, isKnown: true };
  const [own, shownOwn] = [candidate.endpoints[at]!, shown.endpoints[at]!];
  const part = <T>(before: T, of: (asked: Endpoint) => T): T =>
    isHidden(before) && canonicalText(before) === canonicalText(of(shownOwn)) ? of(own) : before;
  const names = Object.keys(endpoint.headers);
  const headers = names.map((name) => [name, part(endpoint.headers[name], (asked) => asked.headers[name])] as const);
  const restored: Endpoint = {
    ...endpoint,
    path: part(endpoint.path, ({ path }) => path),
    headers: Object.fromEntries(headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    body: part(endpoint.body, ({ body }) => body),
    expect: part(endpoint.expect, ({ expect }) => expect),
  };
  const known = <T>(value: T, instead: T): T => (isHidden(value) ? instead : value);
  const asked: Endpoint = {
    ...restored,
    path: known(restored.path, own.path),
    headers: Object.fromEntries(
      Object.entries(restored.headers).flatMap(([name, value]) => {
        const known = isHidden(value) ? own.headers[name] : value;
        return known === undefined ? [] : [[name, known]];
      }),
    ),
    body: known(restored.body, own.body),
  };
  return { endpoint: asked, isKnown: canonicalText(asked) === canonicalText(restored) };
}

function requestWarning(endpoints: readonly string[]): Reason {
  const message = `A record holds no secrets: what is hidden of the requests of ${endpoints.join(', ')} is sent to the baseline as the candidate's spec has it.`;
  return { code: 'redacted-request', message };
}
