import { quoted } from '../format/quoted.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { DURATION, secondsOf } from '../values/units.ts';
import { LONGEST_SECONDS } from './bounds.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { PRESETS, type PresetName, USUAL_PRESET } from './load.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** What is wrong between the keys of the load. */
export function loadDiagnostics(source: Source): Diagnostic[] {
  return [
    ...GENERATOR_NAMES.flatMap((generator) => repeated(['load', generator], source)),
    ...GENERATOR_NAMES.flatMap((generator) => keyDiagnostics(generator, source)),
    ...GENERATOR_NAMES.flatMap((generator) => closing(generator, source)),
    ...nothingLeft(source),
    ...protocolDiagnostics(source),
    ...durationDiagnostics(source),
    ...ownDurationDiagnostics(source),
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

function keyDiagnostics(generator: GeneratorName, source: Source): Diagnostic[] {
  const written = {
    isMap: isMap(source.at(['load', generator])),
    at: (key: string) => source.at(['load', generator, key]),
    numbersOf: (key: string) => numbersOf(generator, key, source),
  };
  return generators[generator].load.problems(written).map(({ path, at, ...problem }) => {
    const whole = ['load', generator, ...path];
    return at === 'key' ? source.aboutKey(whole, problem) : source.aboutValue(whole, problem);
  });
}

/** Keep-alive off, of a generator that can only keep its connections. */
function closing(generator: GeneratorName, source: Source): Diagnostic[] {
  const path = ['load', generator, 'keep-alive'];
  const written = source.at(path);
  if (generators[generator].closesConnections) return [];
  return (Array.isArray(written) ? written : [written]).flatMap((value, index) => {
    if (isOn(value) !== false) return [];
    const others = GENERATOR_NAMES.filter((name) => generators[name].closesConnections);
    return [
      source.aboutValue(Array.isArray(written) ? [...path, index] : path, {
        code: 'contradiction',
        message: `load.${generator}.keep-alive is ${quoted(value)}: ${generator} cannot close a connection after each request; expected on, or ${alternatives(others)} instead`,
        found: String(value),
        expected: 'on',
      }),
    ];
  });
}

/** Services that what loads them cannot ask. */
function protocolDiagnostics(source: Source): Diagnostic[] {
  const used = GENERATOR_NAMES.filter((name) => isUsed(name, source));
  return source.entriesAt(['services']).flatMap(([service]) => {
    const path = ['services', service, 'protocol'];
    const protocol = source.at(path);
    if (protocol !== 'h1' && protocol !== 'h2') return [];
    const place = `${path.join('.')} is ${protocol}`;
    const contradiction = (message: string) => [
      source.aboutValue(path, { code: 'contradiction', message, found: protocol }),
    ];
    const able = GENERATOR_NAMES.filter((name) => generators[name].protocols.includes(protocol));
    const unable = used.filter((name) => !able.includes(name));
    if (unable.length > 0) {
      const instead = able.map((name) => `\`load: {${name}: ${generators[name].load.example}}\``);
      return contradiction(
        `${place}, which ${alternatives(unable)} cannot speak: expected ${alternatives(['h1', ...instead])}`,
      );
    }
    return protocol === 'h2' && source.at(['gateway']) !== undefined
      ? contradiction(`${place}, and the gateway passes requests on as HTTP/1.1: expected h1, or no \`gateway\``)
      : [];
  });
}

/** Whether any case of the load is its: it is written, or part of the preset. */
export function isUsed(generator: GeneratorName, source: Source): boolean {
  const written = source.at(['load', generator]);
  return written === undefined ? Object.hasOwn(presetOf(source), generator) : isOn(written) !== false;
}

function nothingLeft(source: Source): Diagnostic[] {
  const written = source.at(['load']);
  const named = source.at(['load', 'preset']);
  // A preset that there is not has been told already.
  if (!isMap(written) || (named !== undefined && !Object.hasOwn(PRESETS, String(named)))) return [];
  const preset = presetOf(source);
  const off = (generator: string) => Object.hasOwn(written, generator) && isOn(written[generator]) === false;
  const added = GENERATOR_NAMES.some((generator) => Object.hasOwn(written, generator) && !off(generator));
  const left = GENERATOR_NAMES.some((generator) => Object.hasOwn(preset, generator) && !off(generator));
  if (added || left) return [];
  return [
    source.aboutKey(['load'], {
      code: 'contradiction',
      message: `load turns every generator off: expected at least one of ${GENERATOR_NAMES.join(', ')}`,
      expected: alternatives(GENERATOR_NAMES),
    }),
  ];
}

/** A duration of a service that no generator of the spec has one of. */
function ownDurationDiagnostics(source: Source): Diagnostic[] {
  const isTimed = GENERATOR_NAMES.some(
    (name) => isUsed(name, source) && Object.hasOwn(generators[name].load.keys.usual, 'duration'),
  );
  if (isTimed) return [];
  return source.entriesAt(['services']).flatMap(([name]) => {
    const path = ['services', name, 'duration'];
    if (source.at(path) === undefined) return [];
    const message = `${path.join('.')} has no effect: what loads it sends a number of requests, however long that takes`;
    return [source.aboutKey(path, { code: 'contradiction', message })];
  });
}

/** Zero where something must pass, and more than a day. */
function durationDiagnostics(source: Source): Diagnostic[] {
  const services = source.entriesAt(['services']).flatMap(([name]) => [
    ['services', name, 'ready', 'timeout'],
    ['services', name, 'duration'],
  ]);
  const some: Path[] = [...services, ['database', 'ready', 'timeout'], ['gate', 'budget']];
  const trials = GENERATOR_NAMES.flatMap((generator) => ['duration', 'timeout'].map((key) => ['load', generator, key]));
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
function numbersOf(generator: GeneratorName, key: string, source: Source): number[] {
  const preset: Record<string, unknown> = { ...presetOf(source)[generator] };
  const defaults: Record<string, unknown> = { ...generators[generator].load.keys.usual };
  const value = source.at(['load', generator, key]) ?? preset[key] ?? defaults[key];
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'number');
}

function presetOf(source: Source): Partial<Record<GeneratorName, object>> {
  const name = source.at(['load', 'preset']);
  if (typeof name === 'string') return Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : {};
  const someWritten = GENERATOR_NAMES.some((generator) => {
    const written = source.at(['load', generator]);
    return written !== undefined && isOn(written) !== false;
  });
  return someWritten ? {} : PRESETS[USUAL_PRESET];
}

/** What `on`, `off`, true and false mean; undefined for everything else. */
function isOn(value: unknown): boolean | undefined {
  if (value === true || value === 'on' || value === 'true') return true;
  return value === false || value === 'off' || value === 'false' ? false : undefined;
}
