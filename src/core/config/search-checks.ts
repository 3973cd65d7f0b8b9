import { quoted } from '../format/quoted.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { isProtocol } from '../values/protocol.ts';
import { DURATION, PERCENTAGE, ratioOf, secondsOf } from '../values/units.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { askedNames } from './request-checks.ts';
import { SEARCHERS, type Searched, USUALLY_SEARCHED } from './search.ts';
import type { Source } from './source.ts';

/** wrk and h2load open no more. */
const MOST_CONNECTIONS = 65_536;
const LEAST_SECONDS = 0.1;
export const LONGEST_TRY_SECONDS = 3600;
/** k6 takes no shorter one. */
const LEAST_SECONDS_OF_K6 = 1;
/** Finer than this, a level is not told from the next one by any number of tries. */
const PRECISION = { least: 0.01, most: 1 };

/** What is wrong between the keys of the search. */
export function searchDiagnostics(source: Source): Diagnostic[] {
  return [
    ...levelDiagnostics(source),
    ...generatorDiagnostics(source),
    ...endpointDiagnostics(source),
    ...rangeDiagnostics(source),
  ];
}

function levelDiagnostics(source: Source): Diagnostic[] {
  const [from, to] = [source.at(['search', 'from']), source.at(['search', 'to'])];
  if (typeof from !== 'number' || typeof to !== 'number') return [];
  const wrong = (message: string, expected: string) => [
    source.aboutValue(['search', 'to'], { code: 'contradiction', message, found: String(to), expected }),
  ];
  if (to <= from) return wrong(`search.to is ${to}: expected more than search.from, which is ${from}`, `${from + 1}`);
  const most = foundBy(source) === 'connections' ? MOST_CONNECTIONS : Number.POSITIVE_INFINITY;
  return to > most ? wrong(`search.to is ${to}: expected ${most} connections at most`, `${most} at most`) : [];
}

function generatorDiagnostics(source: Source): Diagnostic[] {
  const find = foundBy(source);
  const path = ['search', 'generator'];
  const written = source.at(path);
  const able: readonly string[] = SEARCHERS[find];
  if (find === 'connections' && source.at(['search', 'connections']) !== undefined) {
    const message = 'search.connections has no effect beside `find: connections`: from and to say how many are tried';
    return [source.aboutKey(['search', 'connections'], { code: 'contradiction', message })];
  }
  if (typeof written !== 'string' || !Object.hasOwn(generators, written)) return protocolDiagnostics(source, able[0]!);
  if (able.includes(written)) return protocolDiagnostics(source, written);
  const message = `search.generator is ${written}, which cannot find ${find === 'rate' ? 'a rate' : 'connections'}: expected ${alternatives(able)}`;
  return [source.aboutValue(path, { code: 'contradiction', message, found: written, expected: alternatives(able) })];
}

/** Services that the generator of the search cannot ask. */
function protocolDiagnostics(source: Source, generator: string): Diagnostic[] {
  const { protocols } = generators[generator as keyof typeof generators];
  if (source.at(['search']) === undefined) return [];
  return source.entriesAt(['services']).flatMap(([service]) => {
    const path = ['services', service, 'protocol'];
    const protocol = source.at(path);
    if (!isProtocol(protocol) || protocols.includes(protocol)) return [];
    const message = `${path.join('.')} is ${protocol}, which ${generator} of the search cannot speak: expected \`search: {find: rate, generator: h2load}\`, or h1`;
    return [source.aboutValue(path, { code: 'contradiction', message, found: protocol })];
  });
}

function endpointDiagnostics(source: Source): Diagnostic[] {
  const path = ['search', 'endpoint'];
  const endpoint = source.at(path);
  const known = askedNames(source);
  if (typeof endpoint !== 'string' || known.includes(endpoint)) return [];
  const message = `search.endpoint is ${quoted(endpoint)}, which endpoints does not have: expected ${alternatives(known)}`;
  return [source.aboutValue(path, { code: 'unknown-name', message, found: endpoint })];
}

function rangeDiagnostics(source: Source): Diagnostic[] {
  const wrong = (path: string[], value: string, expected: string) => [
    source.aboutValue(path, {
      code: 'wrong-value',
      message: `${path.join('.')} is ${quoted(value)}: expected ${expected}`,
      found: value,
      expected,
    }),
  ];
  const text = (path: string[], pattern: RegExp) => {
    const value = source.at(path);
    return typeof value === 'string' && pattern.test(value) ? value : null;
  };
  const duration = text(['search', 'duration'], DURATION);
  const p99 = text(['search', 'limits', 'p99'], DURATION);
  const precision = text(['search', 'precision'], PERCENTAGE);
  const errors = text(['search', 'limits', 'errors'], PERCENTAGE);
  const seconds = duration === null ? null : secondsOf(duration);
  const least = searchGenerator(source) === 'k6' ? LEAST_SECONDS_OF_K6 : LEAST_SECONDS;
  const ratio = precision === null ? null : ratioOf(precision);
  return [
    ...(seconds !== null && (seconds < least || seconds > LONGEST_TRY_SECONDS)
      ? wrong(
          ['search', 'duration'],
          duration!,
          least === LEAST_SECONDS ? '100ms to 1h' : 'at least 1s for k6, and 1h at most',
        )
      : []),
    ...(p99 !== null && secondsOf(p99) === 0 ? wrong(['search', 'limits', 'p99'], p99, 'more than 0s') : []),
    ...(ratio !== null && (ratio < PRECISION.least || ratio > PRECISION.most)
      ? wrong(['search', 'precision'], precision!, '1% to 100%')
      : []),
    ...(errors !== null && ratioOf(errors) >= 1 ? wrong(['search', 'limits', 'errors'], errors, 'less than 100%') : []),
  ];
}

/** The one that is written, or the usual one for what is searched. */
export function searchGenerator(source: Source): GeneratorName {
  const written = source.at(['search', 'generator']);
  return GENERATOR_NAMES.find((name) => name === written) ?? SEARCHERS[foundBy(source)][0];
}

function foundBy(source: Source): Searched {
  const find = source.at(['search', 'find']);
  return find === 'connections' ? find : USUALLY_SEARCHED;
}
