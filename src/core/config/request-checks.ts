import { quoted } from '../format/quoted.ts';
import { GENERATOR_NAMES, generators } from '../generators/registry.ts';
import { placeholdersOf } from '../requests/placeholders.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { CONTENT_KEYS } from './endpoint-content.ts';
import { isUsed } from './load-checks.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** What is wrong with requests that differ, and with bodies that are made. */
export function requestDiagnostics(source: Source): Diagnostic[] {
  const endpoints = source.entriesAt(['endpoints']).flatMap(([name, endpoint]) => {
    if (!isMap(endpoint)) return [];
    const path: Path = ['endpoints', name];
    return [...contentDiagnostics(path, source), ...sourceDiagnostics(path, source), ...valueDiagnostics(path, source)];
  });
  return [...endpoints, ...mixDiagnostics(source), ...generatorDiagnostics(source)];
}

/** More than one body. */
function contentDiagnostics(path: Path, source: Source): Diagnostic[] {
  const [first, ...others] = CONTENT_KEYS.filter((key) => source.at([...path, key]) !== undefined);
  return others.map((key) =>
    source.aboutKey([...path, key], {
      code: 'contradiction',
      message: `${path.join('.')} has both \`${first}\` and \`${key}\`: a request has one body`,
      found: key,
    }),
  );
}

function sourceDiagnostics(path: Path, source: Source): Diagnostic[] {
  const has = (key: string) => source.at([...path, key]) !== undefined;
  if (!has('values') || !has('requests')) return [];
  const message = `${path.join('.')} has both \`values\` and \`requests\`: its requests are made of one of them`;
  return [source.aboutKey([...path, 'requests'], { code: 'contradiction', message, found: 'requests' })];
}

/** Placeholders without values, values without a placeholder, lists of unlike length, and statements without a database. */
function valueDiagnostics(path: Path, source: Source): Diagnostic[] {
  const at = [...path, 'values'];
  const values = source.at(at);
  if (!isMap(values)) return [];
  const name = path.join('.');
  const statements: Path[] = [
    ...(typeof values.sql === 'string' ? [[...at, 'sql']] : []),
    ...Object.entries(values).flatMap(([key, value]) =>
      isMap(value) && value.sql !== undefined ? [[...at, key, 'sql']] : [],
    ),
  ];
  const without = source.at(['database']) === undefined ? statements : [];
  const missing = without.map((statement) =>
    source.aboutKey(statement, {
      code: 'contradiction',
      message: `${statement.join('.')} has no database to read from: add \`database\`, or write the values out`,
      found: 'sql',
    }),
  );
  // Which columns one statement for all has, only the database can say.
  if (typeof values.sql === 'string') return missing;
  return [...missing, ...placeholderDiagnostics(name, values, path, source), ...lengthDiagnostics(values, at, source)];
}

function placeholderDiagnostics(
  name: string,
  values: Record<string, unknown>,
  path: Path,
  source: Source,
): Diagnostic[] {
  const target = source.at([...path, 'path']);
  const used = typeof target === 'string' ? placeholdersOf(target) : [];
  const elsewhere = JSON.stringify([source.at([...path, 'headers']), source.at([...path, 'body'])]) ?? '';
  // A body that is made, or is a file's, may hold it as well.
  const isMade = CONTENT_KEYS.some((key) => key !== 'body' && source.at([...path, key]) !== undefined);
  const unfilled = used
    .filter((each) => !Object.hasOwn(values, each))
    .map((each) =>
      source.aboutValue([...path, 'path'], {
        code: 'contradiction',
        message: `${name}.path holds {${each}}, and values has no \`${each}\`: give it values, or write %7B${each}%7D for the braces themselves`,
        found: `{${each}}`,
        expected: alternatives(Object.keys(values)),
      }),
    );
  const unused = Object.keys(values)
    .filter((each) => !used.includes(each) && !elsewhere.includes(`{${each}}`) && !isMade)
    .map((each) =>
      source.aboutKey([...path, 'values', each], {
        code: 'contradiction',
        message: `${name}.values.${each} stands nowhere: expected {${each}} in the path, a header or the body`,
        found: each,
      }),
    );
  return [...unfilled, ...unused];
}

function lengthDiagnostics(values: Record<string, unknown>, at: Path, source: Source): Diagnostic[] {
  const lists = Object.entries(values).filter((each): each is [string, unknown[]] => Array.isArray(each[1]));
  const [first, ...others] = lists;
  return others
    .filter(([, list]) => list.length !== first![1].length)
    .map(([name, list]) =>
      source.aboutKey([...at, name], {
        code: 'contradiction',
        message: `${at.join('.')}.${name} has ${list.length} values, and ${first![0]} has ${first![1].length}: they are taken row by row, so give as many of each`,
        found: String(list.length),
      }),
    );
}

/** Names that endpoints have too, and parts that are no endpoints. */
function mixDiagnostics(source: Source): Diagnostic[] {
  const known = source.entriesAt(['endpoints']).map(([name]) => String(name));
  return source.entriesAt(['mix']).flatMap(([name, mix]) => {
    const path: Path = ['mix', name];
    const taken = known.includes(String(name))
      ? [
          source.aboutKey(path, {
            code: 'contradiction',
            message: `mix.${name} has the name of an endpoint: cases are told apart by it, so give it another`,
            found: String(name),
          }),
        ]
      : [];
    if (!isMap(mix)) return taken;
    const parts = Object.keys(mix);
    const none = { code: 'missing-key', message: `mix.${name} is empty: expected at least one endpoint` } as const;
    if (parts.length === 0) return [...taken, source.aboutKey(path, none)];
    const unknown = parts.filter((part) => !known.includes(part));
    return [
      ...taken,
      ...unknown.map((part) =>
        source.aboutKey([...path, part], {
          code: 'unknown-name',
          message: `mix.${name} names ${quoted(part)}, which is no endpoint of the spec: expected ${alternatives(known)}`,
          found: part,
          expected: alternatives(known),
        }),
      ),
    ];
  });
}

/** Generators of the load that send one request again and again. */
function generatorDiagnostics(source: Source): Diagnostic[] {
  const unable = GENERATOR_NAMES.filter((name) => generators[name].requestSets === 'none' && isUsed(name, source));
  if (unable.length === 0) return [];
  const able = GENERATOR_NAMES.filter((name) => generators[name].requestSets === 'any');
  const endpoints = source.entriesAt(['endpoints']).flatMap(([name, endpoint]): Path[] => {
    const key = ['values', 'requests'].find((each) => isMap(endpoint) && endpoint[each] !== undefined);
    return key === undefined ? [] : [['endpoints', name, key]];
  });
  const mixed = source.entriesAt(['mix']).map(([name]): Path => ['mix', name]);
  return [...endpoints, ...mixed].map((path) =>
    source.aboutKey(path, {
      code: 'contradiction',
      message: `${path.join('.')} makes requests that differ, and ${alternatives(unable)} sends one again and again: expected a load of ${alternatives(able)}`,
      found: String(path.at(-1)),
    }),
  );
}

/** Names that stand for something that is asked: endpoints, and mixes of them. */
export function askedNames(source: Source): string[] {
  return [...source.entriesAt(['endpoints']), ...source.entriesAt(['mix'])].map(([name]) => String(name));
}
