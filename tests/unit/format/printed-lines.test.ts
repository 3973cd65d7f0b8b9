import { describe, expect, it } from 'vitest';
import { excerptOf, tellingLine } from '../../../src/core/format/printed-lines.ts';

/** As Node.js prints an error of a Postgres client that nobody caught. */
const NODE = [
  'Error during migration run:',
  'error: password authentication failed for user "root"',
  '    at Parser.parseErrorMessage (/app/node_modules/pg-protocol/dist/parser.js:285:98)',
  '    at errorHandler (/app/node_modules/pg/lib/client.js:132:8) {',
  '  length: 100,',
  "  severity: 'FATAL',",
  "  code: '28P01',",
  '  detail: undefined,',
  "  routine: 'auth_failed'",
  '}',
];

describe('the line that says why', () => {
  it('is the last that speaks of a failure', () => {
    expect(tellingLine(['Traceback:', 'KeyError: no such key', 'ValueError: not set', 'bye'])).toBe(
      'ValueError: not set',
    );
    expect(tellingLine(['listening', 'done'])).toBeUndefined();
  });

  it('is neither a frame of a stack nor a member of the error', () => {
    expect(tellingLine(NODE)).toBe('error: password authentication failed for user "root"');
  });
});

describe('an excerpt of what was printed', () => {
  it('begins with the line that says why, where it would be cut off', () => {
    expect(excerptOf(NODE, 4)).toEqual([NODE[1], '…', "  routine: 'auth_failed'", '}']);
  });

  it('is the last lines where one of them says why, or none does', () => {
    expect(excerptOf(NODE, 9)).toEqual(NODE.slice(1));
    expect(excerptOf(['a', 'b', 'c'], 2)).toEqual(['b', 'c']);
    expect(excerptOf(['a'], 2)).toEqual(['a']);
  });
});
