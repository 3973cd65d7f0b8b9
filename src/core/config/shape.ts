import type * as z from 'zod';
import { quoted } from '../format/quoted.ts';
import { betterValue } from './better-value.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { editDistance, nearest } from './nearest.ts';
import type { Path, Source } from './source.ts';
import { keysAt, placesOf } from './vocabulary.ts';

type Issue = z.core.$ZodIssue;

/** What a file is held against. */
interface Expected {
  source: Source;
  schema: z.ZodType;
  /** What the file is called in a sentence. */
  subject: string;
}

/** What is written where the source has the schema's shape, and every place where it has not. */
export function shapeOf<T extends z.ZodType>(
  source: Source,
  schema: T,
  subject: string,
): { written: z.output<T> | null; diagnostics: Diagnostic[] } {
  const result = schema.safeParse(source.value, { error: expectedOf });
  if (result.success) return { written: result.data, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  for (const issue of result.error.issues.slice(0, MOST_DIAGNOSTICS))
    diagnostics.push(...diagnosticsOf(issue, [], { source, schema, subject }));
  return { written: null, diagnostics: diagnostics.slice(0, MOST_DIAGNOSTICS) };
}

/** More help nobody; each costs a search for the nearest key. */
const MOST_DIAGNOSTICS = 100;

/** What was expected, for the few schemas that have no phrase of their own. */
function expectedOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    const kinds: Record<string, string> = { object: 'a map', record: 'a map', array: 'a list', string: 'text' };
    return kinds[issue.expected] ?? `a ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return alternatives(issue.values.map(String));
  return 'another value';
}

function diagnosticsOf(issue: Issue, before: Path, file: Expected): Diagnostic[] {
  const path = [...before, ...(issue.path as Path)];
  if (path.length > 0 && file.source.isBroken(path)) return [];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MOST_DIAGNOSTICS).map((key) => unknownKey([...path, key], file));
  if (issue.code === 'invalid_key') return [wrongName(path, issue.issues[0]!.message, file)];
  if (issue.code === 'invalid_union') {
    // The option of the right kind (a map where a map stands) knows more than the union as a whole.
    const ofKind = issue.errors.find((errors) => errors.every((inner) => isInside(inner)));
    if (ofKind !== undefined && ofKind.length > 0) return ofKind.flatMap((inner) => diagnosticsOf(inner, path, file));
    return [wrongValue(path, issue.message, [], file)];
  }
  return [wrongValue(path, issue.message, issue.code === 'invalid_value' ? issue.values : [], file)];
}

/** Whether an issue of a union's option is about a part of the value, and not about the value's kind. */
function isInside(issue: Issue): boolean {
  return issue.code === 'unrecognized_keys' || issue.path.length > 0;
}

function unknownKey(path: Path, file: Expected): Diagnostic {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const allowed = keysAt(file.schema, parent);
  const unused = allowed.filter((name) => file.source.at([...parent, name]) === undefined);
  // A slip of the finger wins, whatever is written already, over a likeness by accident.
  const slip = [...unused, ...allowed].find((name) => editDistance(key, name) === 1);
  const near = slip ?? nearest(key, unused) ?? nearest(key, allowed);
  const where = parent.length === 0 ? 'at the top level' : `in ${parent.join('.')}`;
  const expected = alternatives(unused.length > 0 ? unused : allowed);
  const elsewhere = placesOf(key, file.schema)
    .sort((a, b) => Number(isUnder(b, parent)) - Number(isUnder(a, parent)))
    .map((place) => (place === '' ? 'at the top level' : `in ${place}`));
  let advice = `expected ${expected}`;
  if (near !== null) advice = `did you mean \`${near}\`?`;
  else if (elsewhere.length > 0) advice = `it belongs ${alternatives(elsewhere.slice(0, 3))}`;
  return file.source.aboutKey(path, {
    code: 'unknown-key',
    message: `unknown key ${quoted(key)} ${where}: ${advice}`,
    found: key,
    expected,
    nearest: near,
  });
}

function isUnder(place: string, parent: Path): boolean {
  return parent.length > 0 && place.startsWith(`${parent.join('.')}.`);
}

function wrongName(path: Path, expected: string, file: Expected): Diagnostic {
  const name = String(path.at(-1));
  return file.source.aboutKey(path, {
    code: 'wrong-name',
    message: `${quoted(name)} cannot be a name in ${path.slice(0, -1).join('.')}: expected ${expected}`,
    found: name,
    expected,
  });
}

function wrongValue(path: Path, expected: string, words: readonly unknown[], file: Expected): Diagnostic {
  const value = file.source.at(path);
  const name = path.join('.');
  if (value === undefined) {
    const parent = path.slice(0, -1);
    const where = parent.length === 0 ? file.subject : parent.join('.');
    return file.source.aboutKey(parent, {
      code: 'missing-key',
      message: `${where} has no \`${String(path.at(-1))}\`: expected ${expected}`,
      expected,
      lacks: [path],
    });
  }
  const near = betterValue({ path, value, expected, words }, file.schema);
  const isQuoted = near !== null && near === value;
  const hint = near === null ? '' : isQuoted ? '; remove the quotes around it' : `; did you mean \`${near}\`?`;
  const subject = name === '' ? file.subject : name;
  const state = value === null ? 'is empty' : `is ${isQuoted ? 'the text ' : ''}${quoted(value)}`;
  return file.source.aboutValue(path, {
    code: 'wrong-value',
    message: `${subject} ${state}: expected ${expected}${hint}`,
    found: value === null ? null : quoted(value).replaceAll('`', ''),
    expected,
    nearest: near,
  });
}
