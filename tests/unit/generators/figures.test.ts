import { expect, it } from 'vitest';
import { parseOutput } from '../../../src/app/parse.ts';
import type { GeneratorName } from '../../../src/core/generators/registry.ts';
import { recorded } from './fixtures.ts';

const LONG = '9'.repeat(400);

/** A figure of a real output, and its place in the outcome. */
const figures: [tool: GeneratorName, file: string, from: RegExp, to: string, path: string][] = [
  [
    'wrk',
    'wrk/ichor-http/beast-2.txt',
    /(Req\/Sec +)\d+(\.\d\dk +)\d+/,
    `$1${LONG}$2${LONG}`,
    'threadThroughput.stdev',
  ],
  ['wrk', 'wrk/ichor-http/beast-2.txt', /(Transfer\/sec: +)\d+/, `$1${LONG}`, 'bytesPerSecond'],
  ['ab', 'ab/users-1000/golang.txt', /(Transfer rate: +)\d+/, `$1${LONG}`, 'bytesPerSecond'],
  ['h2load', 'h2load/fixed-rate.txt', /(finished in )\d+/, `$1${LONG}`, 'durationSeconds'],
  ['h2load', 'h2load/fixed-rate.txt', /\d+( errored, )\d+/, `${LONG}$1${LONG}`, 'errors.read'],
  ['k6', 'k6/compact.txt', /(running \()(?=03\.0s\), 0)/, `$1${LONG}h`, 'durationSeconds'],
];

it.each(figures)(
  'an outcome of %s does not have a figure that no number holds, in %s behind %s',
  (tool, file, from, to, path) => {
    const text = recorded(file);
    const at = (outcome: object) =>
      path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], outcome);
    expect(text).toMatch(from);
    expect(at(parseOutput(tool, text))).toEqual(expect.any(Number));
    const outcome = parseOutput(tool, text.replace(from, to));
    expect(at(outcome)).toBeUndefined();
    expect(outcome.requests).toEqual(expect.any(Number));
  },
);
