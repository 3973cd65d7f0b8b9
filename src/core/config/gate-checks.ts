import { quoted } from '../format/quoted.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import { BUILD_ARGUMENT } from './builds.ts';
import { casesOf } from './case.ts';
import { isPartial } from './cpu-quota.ts';
import type { Diagnostic } from './diagnostics.ts';
import { matchesGlob } from './glob.ts';
import { nearestFew } from './nearest.ts';
import type { ResolvedSpec } from './resolved.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** What is wrong between the keys of the gate, and between the gate and the rest of the spec. */
export function gateDiagnostics(source: Source): Diagnostic[] {
  const gates: Path[] = [['gate'], ...source.entriesAt(['gate', 'cases']).map(([glob]) => ['gate', 'cases', glob])];
  return [
    ...gates.flatMap((path) => limitDiagnostics(path, source)),
    ...gates.flatMap((path) => metrics.flatMap((metric) => idleDiagnostics([...path, metric.name], metric, source))),
    ...tooMany(source),
    ...globDiagnostics(source),
    ...buildDiagnostics(source),
    ...pairingDiagnostics(source),
  ];
}

/** Each is held against every case. */
const MOST_GLOBS = 100;

function tooMany(source: Source): Diagnostic[] {
  const count = source.entriesAt(['gate', 'cases']).length;
  if (count <= MOST_GLOBS) return [];
  const message = `gate.cases holds ${count} patterns: expected ${MOST_GLOBS} at most`;
  return [source.aboutKey(['gate', 'cases'], { code: 'wrong-value', message, found: String(count) })];
}

/** Both sides at once are told apart by how they compete for the CPU. */
function pairingDiagnostics(source: Source): Diagnostic[] {
  const path = ['gate', 'pairing'];
  if (source.at(path) !== 'duet') return [];
  const [partial] = source.entriesAt(['services']).filter(([, service]) => {
    const cpus = isMap(service) ? service.cpus : undefined;
    return typeof cpus === 'number' && isPartial(cpus);
  });
  if (partial === undefined) return [];
  const message = `gate.pairing is \`duet\`, and services.${partial[0]}.cpus is a part of a CPU: two sides with a quota each do not compete for the CPU; expected interleaved, or whole CPUs`;
  return [source.aboutValue(path, { code: 'wrong-value', message, found: 'duet', expected: 'interleaved' })];
}

function limitDiagnostics(path: Path, source: Source): Diagnostic[] {
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

/**
 * A limit that nothing worse can break. Counts are exact, and any difference of theirs may be limited: fewer queries may be fewer
 * answers.
 */
function idleDiagnostics(path: Path, metric: MetricDefinition, source: Source): Diagnostic[] {
  const { name, better, ofPass, limitedByLevelAlone } = metric;
  const limits = source.at(path);
  if (!isMap(limits) || ofPass !== undefined) return [];
  const [judged, idle] = better === 'lower' ? ['max-increase', 'max-decrease'] : ['max-decrease', 'max-increase'];
  const about = (key: string, why: string, nearest: string) => {
    if (!Object.hasOwn(limits, key)) return [];
    const advice = Object.hasOwn(limits, nearest) ? 'remove it' : `did you mean \`${nearest}\`?`;
    const message = `${[...path, key].join('.')} can never fail: ${why}; ${advice}`;
    return [
      source.aboutKey([...path, key], { code: 'contradiction', message, found: key, expected: nearest, nearest }),
    ];
  };
  return [
    ...about(idle, `${better === 'lower' ? 'less' : 'more'} ${name} is better`, limitedByLevelAlone ? 'max' : judged),
    ...(limitedByLevelAlone ? about(judged, `${name} is only judged by its level`, 'max') : []),
  ];
}

/** Several builds of what is not built, and a number that is somebody else's. */
function buildDiagnostics(source: Source): Diagnostic[] {
  const builds = source.at(['gate', 'builds']);
  if (typeof builds !== 'number' || builds <= 1) return [];
  const services = source.entriesAt(['services']).filter(([, service]) => isMap(service));
  const built = services.filter(([name]) => source.at(['services', name, 'build']) !== undefined);
  if (services.length > 0 && built.length === 0) {
    return [
      source.aboutValue(['gate', 'builds'], {
        code: 'contradiction',
        message: `gate.builds is ${builds}, and no service has \`build\`: an image or a command is used as it is, and nothing is built more than once`,
        found: String(builds),
        expected: 'a service with build',
      }),
    ];
  }
  return built.flatMap(([name]) => {
    const path = ['services', name, 'build', 'args', BUILD_ARGUMENT];
    if (source.at(path) === undefined) return [];
    const message = `${path.join('.')} is set by wrkbench where gate.builds is more than 1: leave it out`;
    return [source.aboutKey(path, { code: 'contradiction', message })];
  });
}

/** Globs that can only be a service or a path, and fit none; the others are checked when all cases are known. */
function globDiagnostics(source: Source): Diagnostic[] {
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
      if (mayFitKeys(glob) || candidates.some((candidate) => matchesGlob(glob, candidate))) return [];
      return [unmatchedGlob(glob, candidates, source)];
    });
}

/** A glob that may stand for a case key, and not for the name of a service or a path alone. */
function mayFitKeys(glob: string): boolean {
  return !glob.startsWith('/') && /[/*?]/.test(glob);
}

/** Globs that fit neither a case key nor what else the gate holds them against. */
export function keyGlobDiagnostics(spec: ResolvedSpec, source: Source): Diagnostic[] {
  const globs = Object.keys(spec.gate.cases).filter(mayFitKeys);
  if (globs.length === 0) return [];
  const { services, endpoints } = spec;
  const keys = casesOf(spec).map(({ key }) => key);
  const names = [...services.map(({ name }) => name), ...endpoints.map(({ path }) => path), ...keys];
  return globs
    .filter((glob) => !names.some((name) => matchesGlob(glob, name)))
    .map((glob) => unmatchedGlob(glob, keys, source));
}

/** The nearest of more is no better help, and takes its time. */
const MOST_CANDIDATES = 500;

/** A glob of `gate.cases` that fits no case. */
function unmatchedGlob(glob: string, candidates: readonly string[], source: Source): Diagnostic {
  const near = nearestFew(glob, candidates.slice(0, MOST_CANDIDATES), 3);
  return source.aboutKey(['gate', 'cases', glob], {
    code: 'unknown-name',
    message: `gate.cases: ${quoted(glob)} fits no case; the nearest: ${near.join(', ')}`,
    found: glob,
    expected: 'a service, a path or a case key, with * for any part',
    nearest: near[0] ?? null,
  });
}
