import type { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { RunRecord } from './run-record.ts';
import { recordSchemaVersion, runRecordSchema } from './schema.ts';

/** The file is not a run record that this wrkbench can read; the message is one sentence for a person. */
export class UnreadableRecord extends Refusal {
  override name = 'UnreadableRecord';
}

/** Characters. 100 cases with 60 samples of 17 metrics take about 15 million; a hostile artifact must not fill the memory. */
export const maxRecordLength = 64 * 1024 * 1024;

/** The spec's own `expect.json` is the only place without a fixed shape; deeper than this is an attack on recursion. */
const maxNesting = 100;

/** `fileName` is for messages only. Throws `UnreadableRecord`, and nothing else. */
export function readRunRecord(text: string, fileName: string): RunRecord {
  if (text.length > maxRecordLength) {
    const found = Math.ceil(text.length / 1024 / 1024);
    throw new UnreadableRecord(
      `${fileName} is too large for a run record: ${found} MiB, where at most ${maxRecordLength / 1024 / 1024} MiB are read.`,
    );
  }
  if (nestsDeeperThan(text, maxNesting)) {
    throw new UnreadableRecord(
      `${fileName} is not a run record: its values are nested deeper than ${maxNesting} levels.`,
    );
  }
  const value = parsed(text, fileName);
  refuseOtherVersions(value, fileName);
  const result = runRecordSchema.safeParse(value);
  if (!result.success) throw new UnreadableRecord(mismatch(result.error, value, fileName));
  return result.data;
}

function parsed(text: string, fileName: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    if (text.trim() === '') {
      throw new UnreadableRecord(`${fileName} is empty; a run record is a JSON object, as wrkbench run writes it.`);
    }
    if (endsEarly(text)) {
      throw new UnreadableRecord(
        `${fileName} ends in the middle, at line ${text.split('\n').length}: it was not written to its end; ` +
          `where the folder still has its journal.jsonl, \`wrkbench run --resume DIR\` goes on from there.`,
      );
    }
    throw new UnreadableRecord(
      `${fileName} is not JSON${position(text, error as SyntaxError)}; a run record is what wrkbench run writes as run.json.`,
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

function refuseOtherVersions(value: unknown, fileName: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableRecord(
      `${fileName} is not a run record: it holds ${kindOf(value)} where an object with schemaVersion and cases is expected.`,
    );
  }
  const version = (value as Record<string, unknown>).schemaVersion;
  if (version === recordSchemaVersion) return;
  if (typeof version === 'number' && Number.isInteger(version) && version > recordSchemaVersion) {
    throw new UnreadableRecord(
      `${fileName}: this record was written by a newer wrkbench (schema ${version}); this one reads schema ` +
        `${recordSchemaVersion}: update wrkbench to read it.`,
    );
  }
  throw new UnreadableRecord(
    version === undefined
      ? `${fileName} is not a run record: it has no schemaVersion.`
      : `${fileName} is not a run record: its schemaVersion is ${shown(version)}, where ${recordSchemaVersion} is expected.`,
  );
}

/** The first thing that is wrong, with its path, what was expected and what stands there. */
function mismatch(error: z.ZodError, value: unknown, fileName: string): string {
  const issue = nearest(error.issues[0]!);
  const found = valueAt(value, issue.path);
  const others = error.issues.length - 1;
  const more = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'mistake' : 'mistakes'})`;
  const where = pathOf(issue.path);
  if (found === undefined) return `${fileName} is not a whole run record: ${where} is missing${more}.`;
  return `${fileName} is not a run record: ${where} is ${shown(found)}, where ${expectation(issue)} is expected${more}.`;
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
