import type { Dependency } from '../config/dependency.ts';
import type { Login } from '../config/login.ts';
import type { PrepareStep } from '../config/prepare.ts';
import type { Database, Endpoint, ImageSource, ResolvedSpec, Service } from '../config/resolved.ts';
import { valuesIn } from '../requests/request-values.ts';
import { redactedCommand } from './redacted-command.ts';
import { isOpen, type OnSecret, REDACTED, redactedText } from './redacted-text.ts';
import { encodedForms } from './secret-forms.ts';
import { isSecretHeader, isSecretVariable, namesConnection } from './secret-names.ts';
import { withoutSecrets, withTexts } from './secrets.ts';

export { REDACTED };

/**
 * The spec as it may be shown and stored: what a name says is a secret, and user and password of every URL, are left
 * out, wherever else they stand in it as well. Placeholders stay, since they hold nothing.
 */
export function redactedSpec(spec: ResolvedSpec): ResolvedSpec {
  return redaction(spec).spec;
}

/** What `redactedSpec` leaves out, as a server may print it. */
export function secretsOf(spec: ResolvedSpec): string[] {
  return redaction(spec).secrets;
}

/** The same with its encoded forms: for `withoutSecrets`. */
export function printedSecretsOf(spec: ResolvedSpec): string[] {
  return withEncodedForms(secretsOf(spec));
}

function withEncodedForms(secrets: readonly string[]): string[] {
  return [...secrets, ...secrets.filter(({ length }) => length <= LONGEST_ENCODED).flatMap(encodedForms)];
}

/**
 * Values that are secret wherever they come from, such as what a login took, with their encoded forms. Numbers that are no longer than
 * those of records and tables are left out: they stand there by chance, and are ids as a rule.
 */
export function printedSecretsAmong(values: readonly string[]): string[] {
  const lines = values.flatMap((value) => value.split(/[\r\n]+/).map((line) => line.trim()));
  return withEncodedForms(lines.filter((line) => line.length >= SHORTEST && !SHORT_NUMBER.test(line)));
}

const SHORT_NUMBER = /^\d{1,12}$/;

/** A longer one has lines of its own in whatever encodes it. */
const LONGEST_ENCODED = 4096;

/** Shorter ones stand in many a word by chance. */
const SHORTEST = 6;

function redaction(spec: ResolvedSpec): { spec: ResolvedSpec; secrets: string[] } {
  const found = new Set<string>();
  const onSecret = (secret: string) => {
    for (const piece of pieces(secret)) if (piece.length >= SHORTEST && piece !== REDACTED) found.add(piece);
  };
  const services = spec.services.map((service) => redactedService(service, onSecret));
  const dependencies = spec.dependencies?.map((dependency) => redactedDependency(dependency, onSecret));
  const endpoints = spec.endpoints.map((endpoint) => redactedRequest(endpoint, onSecret));
  const database = redactedDatabase(spec.database, onSecret);
  const login = spec.login === undefined ? undefined : redactedLogin(spec.login, onSecret);
  const steps = spec.prepare?.map((step) => redactedStep(step, onSecret));
  // A plain word elsewhere in the spec is that word, though somebody has it for a password.
  const distinctive = [...found].filter((secret) => !/^[a-z]+$/i.test(secret));
  const hide = (text: string) => withoutSecrets(text, distinctive);
  return {
    spec: {
      ...spec,
      services: services.map((service) => withoutFound(service, hide)),
      endpoints: endpoints.map((endpoint) => askedWithoutFound(endpoint, hide)),
      database,
      ...(login === undefined ? {} : { login: loginWithoutFound(login, hide) }),
      ...(dependencies === undefined ? {} : { dependencies: dependencies.map((each) => withoutFound(each, hide)) }),
      ...(steps === undefined ? {} : { prepare: withTexts(steps, hide, PREPARE_STRUCTURE) }),
    },
    secrets: [...found],
  };
}

const PREPARE_STRUCTURE: ReadonlySet<string> = new Set(['kind', 'method', 'image', 'files']);

/** Names, images and files stay: others refer to them. */
function withoutFound<Program extends Service | Dependency>(program: Program, hide: (text: string) => string): Program {
  const { env, image, entrypoint, command, ready } = program;
  return {
    ...program,
    env: withTexts(env, hide),
    image: image?.kind === 'build' ? { ...image, args: withTexts(image.args, hide) } : image,
    ...(entrypoint === undefined ? {} : { entrypoint: withTexts(entrypoint, hide) }),
    command: withTexts(command, hide),
    ready: withTexts(ready, hide),
  };
}

function askedWithoutFound({ name, method, ...asked }: Endpoint, hide: (text: string) => string): Endpoint {
  return { name, method, ...withTexts(asked, hide) };
}

function loginWithoutFound({ steps, ...login }: Login, hide: (text: string) => string): Login {
  return {
    ...login,
    steps: steps.map(({ request: { method, ...asked }, expect, ...step }) => ({
      ...step,
      request: { method, ...withTexts(asked, hide) },
      expect: withTexts(expect, hide),
    })),
  };
}

function redactedService(service: Service, onSecret: OnSecret): Service {
  const { ready } = service;
  return {
    ...redactedProgram(service, onSecret),
    ready: { ...ready, path: ready.path === null ? null : redactedText(ready.path, onSecret) },
  };
}

function redactedDependency(dependency: Dependency, onSecret: OnSecret): Dependency {
  const { ready } = dependency;
  const asked = redactedProgram(dependency, onSecret);
  if (ready.kind === 'path') return { ...asked, ready: { ...ready, path: redactedText(ready.path, onSecret) } };
  if (ready.kind === 'command')
    return { ...asked, ready: { ...ready, command: redactedCommand(ready.command, onSecret) } };
  return asked;
}

function redactedProgram<Program extends Service | Dependency>(program: Program, onSecret: OnSecret): Program {
  const { env, image, entrypoint, command } = program;
  return {
    ...program,
    env: redactedVariables(env, onSecret),
    image: redactedImage(image, onSecret),
    ...(entrypoint === undefined ? {} : { entrypoint: redactedCommand(entrypoint, onSecret) }),
    command: command === null ? null : redactedCommand(command, onSecret),
  };
}

function redactedDatabase(database: Database | null, onSecret: OnSecret): Database | null {
  if (database === null) return null;
  const { password, build } = database;
  if (password !== undefined) onSecret(password);
  return {
    ...database,
    ...(password === undefined ? {} : { password: REDACTED }),
    ...(build === undefined ? {} : { build: { ...build, args: redactedVariables(build.args, onSecret) } }),
  };
}

function redactedImage(image: ImageSource | null, onSecret: OnSecret): ImageSource | null {
  return image?.kind === 'build' ? { ...image, args: redactedVariables(image.args, onSecret) } : image;
}

function redactedLogin(login: Login, onSecret: OnSecret): Login {
  return {
    ...login,
    steps: login.steps.map((step) => ({ ...step, request: redactedRequest(step.request, onSecret) })),
  };
}

function redactedStep(step: PrepareStep, onSecret: OnSecret): PrepareStep {
  switch (step.kind) {
    case 'job':
      return { ...step, command: redactedCommand(step.command, onSecret), env: redactedVariables(step.env, onSecret) };
    case 'requests':
      return { ...step, requests: step.requests.map((each) => redactedRequest(each, onSecret)) };
    default:
      return step;
  }
}

function redactedRequest<Asked extends Pick<Endpoint, 'path' | 'headers' | 'body'>>(
  asked: Asked,
  onSecret: OnSecret,
): Asked {
  const { path, headers, body } = asked;
  return {
    ...asked,
    path: redactedText(path, onSecret),
    headers: mapped(headers, (value, name) => {
      if (!isSecretHeader(name) || isOpen(value) || isFilledIn(value)) return redactedText(value, onSecret);
      for (const part of value.split(/[\s;,]+/)) {
        if (SCHEMES.test(part)) continue;
        onSecret(part);
        onSecret(part.slice(part.indexOf('=') + 1));
      }
      return REDACTED;
    }),
    body: body === null ? null : redactedText(body, onSecret),
  };
}

/** `Bearer ${login.token}`, `sid=${login.session}`, `Token v1_${login.id}`: all that is secret in it is a value that only the run has. */
function isFilledIn(value: string): boolean {
  if (valuesIn(value).length === 0) return false;
  const isShort = (part: string) => pieces(part.slice(part.indexOf('=') + 1)).every(({ length }) => length < SHORTEST);
  return value.split(/[\s;,]+/).every((part) => SCHEMES.test(part) || isShort(part));
}

/** Of an `Authorization` header: words that a server may well print for another reason. */
const SCHEMES = /^(?:bearer|basic|digest|token|apikey|negotiate)$/i;

function redactedVariables(values: Record<string, string>, onSecret: OnSecret): Record<string, string> {
  return mapped(values, (value, name) => {
    const inner = redactedText(value, onSecret);
    // The password in it is the run's own, and no literal.
    const isFilledIn = namesConnection(name) && value.includes('${database.');
    if (!isSecretVariable(name, value) || isOpen(value) || isFilledIn) return inner;
    onSecret(value);
    return REDACTED;
  });
}

/** What is printed of a secret: its lines, each by itself, without what only the run fills in. */
function pieces(secret: string): string[] {
  const literal = secret.replaceAll(/\$\$\{|\$\{[^}]*\}?/g, (found) => (found === '$${' ? '${' : '\n'));
  return literal.split(/[\r\n]+/).map((line) => line.trim());
}

function mapped(values: Record<string, string>, of: (value: string, name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value, name)]));
}
