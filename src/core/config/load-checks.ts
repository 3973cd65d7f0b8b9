import { DEFAULTS, LONGEST_SECONDS } from './defaults.ts';
import { type Diagnostic, quoted } from './diagnostics.ts';
import { PRESETS, type PresetName } from './presets.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';
import { DURATION, PERCENTAGE, RATE, ratioOf, secondsOf } from './units.ts';

const GENERATORS = ['wrk', 'k6', 'ab'] as const;
/** `MAX_CONCURRENCY` of ab.c. */
const MOST_AB_CONNECTIONS = 20_000;

/** What is wrong between the keys of the load. */
export function loadDiagnostics(source: Source): Diagnostic[] {
  return [
    ...GENERATORS.flatMap((generator) => repeated(['load', generator], source)),
    ...wrkDiagnostics(source),
    ...k6Diagnostics(source),
    ...abDiagnostics(source),
    ...nothingLeft(source),
    ...durationDiagnostics(source),
  ];
}

/** The same case twice. */
function repeated(path: Path, source: Source): Diagnostic[] {
  return ['connections', 'keep-alive'].flatMap((key) => {
    const values = source.at([...path, key]);
    if (!Array.isArray(values)) return [];
    const plain = values.map((value) => (key === 'keep-alive' ? isOn(value) : value));
    return plain.flatMap((value, index) => {
      if (plain.indexOf(value) === index) return [];
      return [
        source.aboutValue([...path, key, index], {
          code: 'contradiction',
          message: `${path.join('.')}.${key} names ${quoted(values[index])} twice: each case is measured once`,
          found: String(values[index]),
        }),
      ];
    });
  });
}

function wrkDiagnostics(source: Source): Diagnostic[] {
  const threads = source.at(['load', 'wrk', 'threads']);
  const connections = effective('wrk', 'connections', source);
  if (isMap(threads) && Object.keys(threads).length === 0) {
    const expected = 'a number of threads, or threads by connections such as {2: 1, 400: 2}';
    return [
      source.aboutKey(['load', 'wrk', 'threads'], {
        code: 'wrong-value',
        message: `load.wrk.threads is empty: expected ${expected}`,
        expected,
      }),
    ];
  }
  const steps: [from: number, threads: unknown, path: Path][] = isMap(threads)
    ? Object.entries(threads).map(([from, count]) => [Number(from), count, ['load', 'wrk', 'threads', from]])
    : [[0, threads, ['load', 'wrk', 'threads']]];
  return steps.flatMap(([from, count, path]) => {
    if (typeof count !== 'number' || Number.isNaN(from)) return [];
    const reached = connections.filter((value) => value >= from);
    const least = isMap(threads) ? from : Math.min(...reached);
    if (least >= count) return [];
    return [
      source.aboutValue(path, {
        code: 'contradiction',
        message: `${path.join('.')} is ${count}, but the connections go down to ${least}: wrk needs at least one for each thread`,
        found: String(count),
        expected: `${least} at most`,
        nearest: String(least),
      }),
    ];
  });
}

function k6Diagnostics(source: Source): Diagnostic[] {
  const rate = source.at(['load', 'k6', 'rate']);
  if (typeof rate !== 'string') return [];
  const share = PERCENTAGE.test(rate) ? ratioOf(rate) : null;
  const perSecond = RATE.test(rate) ? Number.parseFloat(rate) : null;
  if ((share === null || (share > 0 && share <= 1)) && perSecond !== 0) return [];
  const expected = share === null ? 'more than 0/s' : 'more than 0% and at most 100%';
  return [
    source.aboutValue(['load', 'k6', 'rate'], {
      code: 'wrong-value',
      message: `load.k6.rate is ${quoted(rate)}: expected ${expected}`,
      found: rate,
      expected,
    }),
  ];
}

function abDiagnostics(source: Source): Diagnostic[] {
  const connections = effective('ab', 'connections', source);
  const most = Math.max(...connections);
  const requests = effective('ab', 'requests', source)[0] ?? Number.POSITIVE_INFINITY;
  const own = source.at(['load', 'ab', 'connections']) === undefined ? 'requests' : 'connections';
  // Nothing of ab is written: what a preset holds fits.
  if (!isMap(source.at(['load', 'ab'])) || (most <= requests && most <= MOST_AB_CONNECTIONS)) return [];
  const message =
    most > MOST_AB_CONNECTIONS
      ? `load.ab.connections is ${most}: ab opens ${MOST_AB_CONNECTIONS} at most`
      : `load.ab has ${most} connections and only ${requests === 1 ? 'one request' : `${requests} requests`}: ab needs at least one request for each connection`;
  return [source.aboutValue(['load', 'ab', own], { code: 'contradiction', message, found: String(most) })];
}

function nothingLeft(source: Source): Diagnostic[] {
  const written = source.at(['load']);
  const named = source.at(['load', 'preset']);
  // A preset that there is not has been told already.
  if (!isMap(written) || (named !== undefined && !Object.hasOwn(PRESETS, String(named)))) return [];
  const preset = presetOf(source);
  const off = (generator: string) => Object.hasOwn(written, generator) && isOn(written[generator]) === false;
  const added = GENERATORS.some((generator) => Object.hasOwn(written, generator) && !off(generator));
  const left = GENERATORS.some((generator) => Object.hasOwn(preset, generator) && !off(generator));
  if (added || left) return [];
  return [
    source.aboutKey(['load'], {
      code: 'contradiction',
      message: 'load turns every generator off: expected at least one of wrk, k6 and ab',
      expected: 'wrk, k6 or ab',
    }),
  ];
}

/** Zero where something must pass, and more than a day. */
function durationDiagnostics(source: Source): Diagnostic[] {
  const services = source.entriesAt(['services']).map(([name]) => ['services', name, 'ready', 'timeout']);
  const some: Path[] = [...services, ['database', 'ready', 'timeout'], ['gate', 'budget']];
  const trials = GENERATORS.flatMap((generator) => ['duration', 'timeout'].map((key) => ['load', generator, key]));
  const any: Path[] = [...trials, ['load', 'warm-up'], ['load', 'cool-down']];
  return [...some, ...any].flatMap((path) => {
    const value = source.at(path);
    if (typeof value !== 'string' || !DURATION.test(value)) return [];
    const seconds = secondsOf(value);
    const tooShort = some.includes(path) && seconds === 0;
    if (seconds <= LONGEST_SECONDS && !tooShort) return [];
    const expected = tooShort ? 'more than 0s' : 'at most 24h';
    return [
      source.aboutValue(path, {
        code: 'wrong-value',
        message: `${path.join('.')} is ${quoted(value)}: expected ${expected}`,
        found: value,
        expected,
      }),
    ];
  });
}

/** The numbers of a key as they come out of the file, the preset and the defaults; none where the file has no numbers. */
function effective(generator: 'wrk' | 'ab', key: string, source: Source): number[] {
  const preset: Record<string, unknown> = { ...presetOf(source)[generator] };
  const defaults: Record<string, unknown> = { ...DEFAULTS[generator] };
  const value = source.at(['load', generator, key]) ?? preset[key] ?? defaults[key];
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'number');
}

function presetOf(source: Source): { wrk?: object; k6?: object; ab?: object } {
  const name = source.at(['load', 'preset']);
  if (typeof name === 'string') return Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : {};
  const someWritten = GENERATORS.some((generator) => {
    const written = source.at(['load', generator]);
    return written !== undefined && isOn(written) !== false;
  });
  return someWritten ? {} : PRESETS[DEFAULTS.load.preset];
}

/** What `on`, `off`, true and false mean; undefined for everything else. */
function isOn(value: unknown): boolean | undefined {
  if (value === true || value === 'on' || value === 'true') return true;
  return value === false || value === 'off' || value === 'false' ? false : undefined;
}
