import type * as z from 'zod';

/** A kind of JSON file that wrkbench writes and reads again, as its readers are told of it. */
export interface DocumentKind<T> {
  /** `run record` */
  noun: string;
  /** `wrkbench run writes` */
  written: string;
  /** `run.json` */
  fileName: string;
  /** What to do about one that was cut off. */
  cutOff: string;
  version: number;
  schema: z.ZodType<T>;
  /** Another form that such a file may have; what it gives is checked against `schema`. */
  otherForm?: OtherForm;
  /** Characters. */
  maxLength: number;
  /** What is thrown, with one sentence for a person. */
  refusal: new (
    message: string,
  ) => Error;
}

export interface OtherForm {
  applies(value: unknown): boolean;
  /** As it is to be checked, or what is wrong with it. */
  read(value: unknown): { value: unknown } | { error: z.ZodError };
}

/** What a loose schema says of a value: without the keys that a later wrkbench may have added. */
export type Known<T> = T extends readonly unknown[]
  ? { [Index in keyof T]: Known<T[Index]> }
  : T extends object
    ? { [Key in keyof T as string extends Key ? (unknown extends T[Key] ? never : Key) : Key]: Known<T[Key]> }
    : T;

/** Deeper than this is an attack on recursion: only the spec's own `expect.json` has no fixed shape. */
const maxNesting = 100;

/** `fileName` is for messages only. Throws `kind.refusal`, and nothing else. */
export function readDocument<T>(text: string, fileName: string, kind: DocumentKind<T>): T {
  const { noun, maxLength, refusal: Unreadable } = kind;
  if (text.length > maxLength) {
    const found = Math.ceil(text.length / 1024 / 1024);
    throw new Unreadable(
      `${fileName} is too large for a ${noun}: ${found} MiB, where at most ${maxLength / 1024 / 1024} MiB are read.`,
    );
  }
  if (nestsDeeperThan(text, maxNesting)) {
    throw new Unreadable(`${fileName} is not a ${noun}: its values are nested deeper than ${maxNesting} levels.`);
  }
  const value = parsed(text, fileName, kind);
  refuseOtherVersions(value, fileName, kind);
  const form = kind.otherForm?.applies(value) === true ? kind.otherForm.read(value) : { value };
  if ('error' in form) throw new Unreadable(mismatch(form.error, value, fileName, noun));
  const result = kind.schema.safeParse(form.value);
  if (!result.success) throw new Unreadable(mismatch(result.error, form.value, fileName, noun));
  return result.data;
}

function parsed<T>(text: string, fileName: string, kind: DocumentKind<T>): unknown {
  const { noun, written, cutOff, refusal: Unreadable } = kind;
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    if (text.trim() === '') {
      throw new Unreadable(`${fileName} is empty; a ${noun} is a JSON object, as ${written} it.`);
    }
    if (endsEarly(text)) {
      const line = text.split('\n').length;
      throw new Unreadable(
        `${fileName} ends in the middle, at line ${line}: it was not written to its end; ${cutOff}.`,
      );
    }
    throw new Unreadable(
      `${fileName} is not JSON${position(text, error as SyntaxError)}; a ${noun} is what ${written} as ${kind.fileName}.`,
    );
  }
}

/** Whether the brackets and strings that were opened are still open at the end. */
function endsEarly(text: string): boolean {
  const { depth, inString } = scan(text, Number.POSITIVE_INFINITY);
  return text.trimStart().startsWith('{') && (depth > 0 || inString);
}

function nestsDeeperThan(text: string, limit: number): boolean {
  return scan(text, limit).exceeded;
}

function scan(text: string, limit: number): { depth: number; inString: boolean; exceeded: boolean } {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === 0x5c) index += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > limit) return { depth, inString, exceeded: true };
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
  }
  return { depth, inString, exceeded: false };
}

/** ` (line 3, column 14)`, where V8's message names the place. */
function position(text: string, error: SyntaxError): string {
  const offset = /position (\d+)/.exec(error.message)?.[1];
  if (offset === undefined) return '';
  const before = text.slice(0, Number(offset));
  return ` (line ${before.split('\n').length}, column ${Number(offset) - before.lastIndexOf('\n')})`;
}

function refuseOtherVersions<T>(value: unknown, fileName: string, kind: DocumentKind<T>): void {
  const { noun, version: readable, refusal: Unreadable } = kind;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unreadable(
      `${fileName} is not a ${noun}: it holds ${kindOf(value)} where an object with schemaVersion and cases is expected.`,
    );
  }
  const version = (value as Record<string, unknown>).schemaVersion;
  if (version === readable) return;
  if (typeof version === 'number' && Number.isInteger(version) && version > readable) {
    throw new Unreadable(
      `${fileName}: this ${noun.split(' ').at(-1)} was written by a newer wrkbench (schema ${version}); this one reads schema ` +
        `${readable}: update wrkbench to read it.`,
    );
  }
  throw new Unreadable(
    version === undefined
      ? `${fileName} is not a ${noun}: it has no schemaVersion.`
      : `${fileName} is not a ${noun}: its schemaVersion is ${shown(version)}, where ${readable} is expected.`,
  );
}

/** The first thing that is wrong, with its path, what was expected and what stands there. */
function mismatch(error: z.ZodError, value: unknown, fileName: string, noun: string): string {
  const issue = nearest(error.issues[0]!);
  const found = valueAt(value, issue.path);
  const others = error.issues.length - 1;
  const more = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'error' : 'errors'})`;
  const where = pathOf(issue.path);
  if (found === undefined) return `${fileName} is not a whole ${noun}: ${where} is missing${more}.`;
  return `${fileName} is not a ${noun}: ${where} is ${shown(found)}, where ${expectation(issue)} is expected${more}.`;
}

type Issue = z.core.$ZodIssue;

/** In a union the branch that got furthest says most about what was meant. */
function nearest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.flatMap((branch) => (branch[0] === undefined ? [] : [branch[0]]));
  const deepest = branches.sort((one, other) => other.path.length - one.path.length)[0];
  return deepest === undefined ? issue : { ...nearest(deepest), path: [...issue.path, ...nearest(deepest).path] };
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : article(issue.expected);
    case 'invalid_value':
      return issue.values.length === 1
        ? shown(issue.values[0])
        : `one of ${issue.values.map((value) => shown(value)).join(', ')}`;
    case 'too_small':
      return `${issue.minimum} or more`;
    default:
      return 'something else';
  }
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

/** `cases[3].metrics.throughput.value` */
function pathOf(path: PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      const plain = /^[A-Za-z][\w-]{0,60}$/.test(name);
      return plain ? `${index === 0 ? '' : '.'}${name}` : `[${shown(name)}]`;
    })
    .join('');
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return kindOf(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : noun === 'null' ? noun : `a ${noun}`;
}
