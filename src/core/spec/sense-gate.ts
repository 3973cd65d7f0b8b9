import { metrics } from '../metrics/registry.ts';
import { matchesGlob } from './glob.ts';
import { type Mistake, quoted } from './mistakes.ts';
import { nearestFew } from './nearest.ts';
import { isMap } from './sense-services.ts';
import type { Path, Source } from './source.ts';

/** What is wrong between the keys of the gate, and between the gate and the rest of the spec. */
export function gateMistakes(source: Source): Mistake[] {
  const gates: Path[] = [['gate'], ...source.entriesAt(['gate', 'cases']).map(([glob]) => ['gate', 'cases', glob])];
  return [...gates.flatMap((path) => limitMistakes(path, source)), ...tooMany(source), ...globMistakes(source)];
}

/** Each is held against every case. */
const MOST_GLOBS = 100;

function tooMany(source: Source): Mistake[] {
  const count = source.entriesAt(['gate', 'cases']).length;
  if (count <= MOST_GLOBS) return [];
  const message = `gate.cases holds ${count} patterns: expected ${MOST_GLOBS} at most`;
  return [source.aboutKey(['gate', 'cases'], { code: 'wrong-value', message, found: String(count) })];
}

function limitMistakes(path: Path, source: Source): Mistake[] {
  return source.entriesAt(path).flatMap(([metric, limits]) => {
    if (!isMap(limits) || !metrics.some(({ name }) => name === metric) || Object.keys(limits).length > 0) return [];
    const expected = 'max-increase, max-decrease, max or min';
    return [
      source.aboutKey([...path, metric], {
        code: 'missing-key',
        message: `${[...path, metric].join('.')} limits nothing: expected ${expected}`,
        expected,
      }),
    ];
  });
}

/** Globs over services and paths that fit none; those over whole case keys are checked when all cases are known. */
function globMistakes(source: Source): Mistake[] {
  const services = source.entriesAt(['services']).map(([name]) => name);
  const paths = source.entriesAt(['endpoints']).flatMap(([, endpoint]) => {
    const path = isMap(endpoint) ? endpoint.path : endpoint;
    return typeof path === 'string' ? [path] : [];
  });
  if (services.length === 0 || paths.length === 0) return [];
  return source
    .entriesAt(['gate', 'cases'])
    .slice(0, MOST_GLOBS)
    .flatMap(([glob]) => {
      const candidates = glob.startsWith('/') ? paths : services;
      const isKey = glob.includes('/') && !glob.startsWith('/');
      if (isKey || candidates.some((candidate) => matchesGlob(glob, candidate))) return [];
      return [unmatchedGlob(glob, candidates, source)];
    });
}

/** The nearest of more is no better help, and takes its time. */
const MOST_CANDIDATES = 500;

/** A glob of `gate.cases` that fits no case. */
export function unmatchedGlob(glob: string, candidates: readonly string[], source: Source): Mistake {
  const near = nearestFew(glob, candidates.slice(0, MOST_CANDIDATES), 3);
  return source.aboutKey(['gate', 'cases', glob], {
    code: 'unknown-name',
    message: `gate.cases: ${quoted(glob)} fits no case; the nearest: ${near.join(', ')}`,
    found: glob,
    expected: 'a service, a path or a case key, with * for any part',
    nearest: near[0] ?? null,
  });
}
