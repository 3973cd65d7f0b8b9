import type { Dependency } from '../config/dependency.ts';
import type { Login } from '../config/login.ts';
import type { Database, Endpoint, ResolvedSpec, Service } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { REDACTED, redactedSpec } from '../record/redaction.ts';
import { canonicalText } from './canonical.ts';

/** A spec whose secrets are known, the endpoints that had to be left out for theirs, and what the reader should know of both. */
interface Restored {
  spec: ResolvedSpec;
  unknown: string[];
  kept: Reason[];
}

/**
 * What a spec called a secret is not in its record: the candidate's value stands in for it. An endpoint whose request hides a secret
 * that the candidate does not have cannot be asked for again.
 */
export function restored(baseline: ResolvedSpec, candidate: ResolvedSpec): Restored {
  if (!isHidden(baseline)) return { spec: baseline, unknown: [], kept: [] };
  const shown = redactedSpec(candidate);
  const services = baseline.services.map((each) => restoredProgram(each, candidate.services, shown.services));
  const dependencies = baseline.dependencies?.map((each) =>
    restoredProgram(each, candidate.dependencies ?? [], shown.dependencies ?? []),
  );
  const endpoints = baseline.endpoints.map((endpoint) => restoredEndpoint(endpoint, candidate, shown));
  const isGone = ({ name }: Endpoint) => !candidate.endpoints.some((own) => own.name === name);
  const unknown = endpoints
    .filter((endpoint) => !isGone(endpoint) && isRequestHidden(endpoint))
    .map(({ name }) => name);
  return {
    spec: {
      ...baseline,
      services: services.map(({ program }) => program),
      ...(dependencies === undefined ? {} : { dependencies: dependencies.map(({ program }) => program) }),
      endpoints: endpoints.filter(({ name }) => !unknown.includes(name)),
      database: restoredDatabase(baseline.database, candidate.database),
      ...restoredLogin(baseline.login, candidate.login),
    },
    unknown,
    kept: [
      ...[...services, ...(dependencies ?? [])].flatMap(({ kept }) => kept ?? []),
      ...(unknown.length === 0 ? [] : [requestWarning(unknown)]),
      ...(isHidden(baseline.login) ? [LOGIN_WARNING] : []),
    ],
  };
}

function isHidden(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').includes(REDACTED);
}

/** `shown` are the candidate's as its own record would have them. */
function restoredProgram<Program extends Service | Dependency>(
  service: Program,
  candidate: readonly Program[],
  shown: readonly Program[],
) {
  const at = candidate.findIndex(({ name }) => name === service.name);
  const [own, shownOwn] = [candidate[at], shown[at]];
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
    program: { ...service, env: Object.fromEntries(env), command, ready },
    kept: known.length + unknown.length === 0 ? null : warning(service.name, known, unknown),
  };
}

/** With the candidate's password; with one made for the run where that has none. */
function restoredDatabase(database: Database | null, candidate: Database | null): Database | null {
  if (database === null || !isHidden(database.password)) return database;
  const { password: _, ...rest } = database;
  return candidate?.password === undefined ? rest : { ...rest, password: candidate.password };
}

/** The candidate's, whose secrets are known; without one it has to fail, and says so. */
function restoredLogin(login: Login | undefined, candidate: Login | undefined): Pick<ResolvedSpec, 'login'> {
  if (login === undefined) return {};
  return { login: isHidden(login) ? (candidate ?? login) : login };
}

const LOGIN_WARNING: Reason = {
  code: 'redacted-login',
  message: "A record holds no secrets: the baseline logs in as the candidate's spec says.",
};

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

/** Each part that is the same as the candidate's but for what both leave out: that they differ cannot be told. */
function restoredEndpoint(endpoint: Endpoint, candidate: ResolvedSpec, shown: ResolvedSpec): Endpoint {
  const at = candidate.endpoints.findIndex(({ name }) => name === endpoint.name);
  if (at < 0 || !isHidden(endpoint)) return endpoint;
  const [own, shownOwn] = [candidate.endpoints[at]!, shown.endpoints[at]!];
  const part = <T>(before: T, of: (asked: Endpoint) => T): T =>
    isHidden(before) && canonicalText(before) === canonicalText(of(shownOwn)) ? of(own) : before;
  const headers = Object.keys(endpoint.headers).map((name): [string, string] => [
    name,
    part(endpoint.headers[name]!, (asked) => asked.headers[name] ?? ''),
  ]);
  return {
    ...endpoint,
    path: part(endpoint.path, ({ path }) => path),
    headers: Object.fromEntries(headers),
    body: part(endpoint.body, ({ body }) => body),
    expect: part(endpoint.expect, ({ expect }) => expect),
  };
}

function isRequestHidden({ path, headers, body }: Endpoint): boolean {
  return isHidden([path, headers, body]);
}

function requestWarning(endpoints: readonly string[]): Reason {
  const names = endpoints.join(', ');
  const message = `A record holds no secrets, and the requests of ${names} changed in more than theirs: the baseline's cannot be sent again, and nothing compares the new ones.`;
  return { code: 'redacted-request', message };
}
