import { quoted } from '../format/quoted.ts';
import { isOverTls, isProtocol } from '../values/protocol.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { nearest } from './nearest.ts';
import {
  isCallerVariable,
  isPlaceholder,
  nearestPlaceholder,
  PLACEHOLDERS,
  placeholdersIn,
  portPlaceholder,
} from './placeholders.ts';
import type { Path, Source } from './source.ts';

/** Placeholders that are none in what is started at a path: `services.web`, `dependencies.redis`, `prepare.0`. `more`: those that it has besides. */
export function placeholderDiagnostics(path: Path, source: Source, more: readonly string[] = []): Diagnostic[] {
  const env = source.entriesAt([...path, 'env']).map(([name]) => [...path, 'env', name]);
  const places = [
    ...env,
    ...['entrypoint', 'command', 'ready.command', 'job'].flatMap((key) =>
      wordsAt([...path, ...key.split('.')], source),
    ),
  ];
  const own = path[0] === 'dependencies' ? path[1] : null;
  const beside = source
    .entriesAt(['dependencies'])
    .filter(([name]) => name !== own)
    .flatMap(([name]) => [`${name}.host`, ...(hasPort(name, source) ? [`${name}.port`] : [])]);
  const ports = source.entriesAt([...path, 'ports']).map(([name]) => portPlaceholder(name));
  const names = [...more, ...ports, ...beside];
  return places.flatMap((place) => inText(place, source, names, place.at(-2) === 'env'));
}

function wordsAt(path: Path, source: Source): Path[] {
  const words = source.at(path);
  return Array.isArray(words) ? words.map((_, index) => [...path, index]) : [];
}

function hasPort(dependency: string, source: Source): boolean {
  return source.at(['dependencies', dependency, 'port']) !== undefined;
}

/** `isOfEnv`: a value of the environment, which others cannot read. */
function inText(path: Path, source: Source, more: readonly string[], isOfEnv: boolean): Diagnostic[] {
  const text = source.at(path);
  if (typeof text !== 'string') return [];
  return placeholdersIn(text).flatMap(({ name, length, offset, closed }) => {
    const written = text.slice(offset, offset + length);
    const about = (message: string, expected: string, nearest: string | null = null, lacks: readonly Path[] = []) =>
      source.aboutPart(path, written, {
        code: 'unknown-name',
        message: `${path.join('.')}: ${message}`,
        found: written,
        expected,
        nearest,
        lacks,
      });
    if (!closed) return [about(`${quoted(written)} is not closed: expected } at its end`, '}')];
    if (more.includes(name)) return [];
    if (isCallerVariable(name)) {
      if (isOfEnv) return [];
      const expected = 'a variable of `env`, which the command reads';
      const what = `${quoted(written)} cannot stand in a command, which everybody on the machine can read`;
      return [about(`${what}: expected ${expected}`, expected)];
    }
    const known = [...Object.keys(PLACEHOLDERS), ...more].map((known) => `\${${known}}`);
    if (!isPlaceholder(name)) {
      const near = nearestPlaceholder(name) ?? nearest(name.trim(), more);
      const advice =
        near === null ? `expected ${alternatives(known)}, or $\${ for $\{ itself` : `did you mean \`\${${near}}\`?`;
      return [
        about(
          `${quoted(written)} is not a placeholder: ${advice}`,
          alternatives(known),
          near === null ? null : `\${${near}}`,
          lacksOf(name),
        ),
      ];
    }
    if (name.startsWith('database.') && source.at(['database']) === undefined) {
      const message = `${quoted(written)} needs a database: expected \`database\` at the top of the spec`;
      return [about(message, 'database', null, [['database']])];
    }
    if (name.startsWith('tls.')) {
      const lack = lackOfTls(path, source);
      if (lack !== null) return [about(`${quoted(written)} ${lack.message}`, lack.expected, null, lack.lacks)];
    }
    return [];
  });
}

/** Why nothing at a path has a certificate; null where it has one. A job has that of each service that it prepares. */
function lackOfTls([section, name]: Path, source: Source): { message: string; expected: string; lacks: Path[] } | null {
  if (section === 'dependencies') {
    const expected = 'a certificate of its own, or none';
    return { message: `is of services alone: expected ${expected}`, expected, lacks: [] };
  }
  const services = section === 'services' ? [String(name)] : source.entriesAt(['services']).map(([each]) => each);
  const without = services.find((each) => {
    const protocol = source.at(['services', each, 'protocol']) ?? 'h1';
    return isProtocol(protocol) && !isOverTls(protocol);
  });
  if (without === undefined) return null;
  const expected = '`protocol: https` or `protocol: h2-tls`';
  const message = `needs a service that is asked over TLS: expected ${expected} in services.${without}`;
  return { message, expected, lacks: [['services', without, 'protocol']] };
}

/** What would make a placeholder of it: `${redis.port}` is one where `dependencies.redis` has a port. */
function lacksOf(name: string): Path[] {
  const [, dependency] = /^(.+)\.(?:host|port)$/.exec(name) ?? [];
  return dependency === undefined ? [] : [['dependencies'], ['dependencies', dependency, 'port']];
}
