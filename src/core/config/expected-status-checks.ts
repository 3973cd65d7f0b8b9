import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { isProtocol } from '../values/protocol.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { isUsed } from './load-checks.ts';
import { SEARCHERS } from './search.ts';
import { searchGenerator } from './search-checks.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/**
 * Endpoints that are expected to answer with a status which what loads them counts as failed: every request would be an error, and
 * every case invalid. These generators tell how many answers had a bad status, and not which, so that an expected 404 cannot be told
 * from a 500.
 */
export function expectedStatusDiagnostics(source: Source): Diagnostic[] {
  const loading = GENERATOR_NAMES.filter((name) => isUsed(name, source) && !hasScript(name, source));
  return source.entriesAt(['endpoints']).flatMap(([name]) => {
    const path = statusPath(['endpoints', name, 'expect'], source);
    const status = source.at(path);
    // What is no status at all has been told as that.
    if (typeof status !== 'number' || status < 100 || status > 599) return [];
    const isFailure = (generator: GeneratorName) => generators[generator].countsAsFailed(status);
    const wrong = (unable: GeneratorName[], of: string, instead: string[]) => {
      if (unable.length === 0) return [];
      const most = unable.some((generator) => generators[generator].countsAsFailed(399)) ? 299 : 399;
      const expected = alternatives([...instead, `a status from 200 to ${most}`]);
      const message = `${path.join('.')} is ${status}, which is a failed request for ${alternatives(unable)}${of}: expected ${expected}`;
      return [source.aboutValue(path, { code: 'contradiction', message, found: String(status), expected })];
    };
    const able = GENERATOR_NAMES.filter((generator) => !isFailure(generator) && asksAll(generator, source));
    const loads = able.map((generator) => `\`load: {${generator}: ${generators[generator].load.example}}\``);
    const searches = SEARCHERS.rate
      .filter((generator) => able.includes(generator))
      .map((generator) => `\`search: {find: rate, generator: ${generator}}\``);
    const searching = isSearched(name, source) ? [searchGenerator(source)] : [];
    return [
      ...wrong(loading.filter(isFailure), '', loads),
      ...wrong(searching.filter(isFailure), ' of the search', searches),
    ];
  });
}

function statusPath(expect: Path, source: Source): Path {
  return isMap(source.at(expect)) ? [...expect, 'status'] : expect;
}

/** Of the user's own, which may ask for anything. */
function hasScript(generator: GeneratorName, source: Source): boolean {
  return source.at(['load', generator, 'script']) !== undefined;
}

function asksAll(generator: GeneratorName, source: Source): boolean {
  return source.entriesAt(['services']).every(([name]) => {
    const protocol = source.at(['services', name, 'protocol']);
    return generators[generator].protocols.includes(isProtocol(protocol) ? protocol : 'h1');
  });
}

function isSearched(endpoint: string, source: Source): boolean {
  const asked = source.at(['search', 'endpoint']);
  return isMap(source.at(['search'])) && (asked === undefined || asked === endpoint);
}
