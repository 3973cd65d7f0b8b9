import { describe, expect, it } from 'vitest';
import { parseOutput } from '../../../src/app/parse.ts';
import { UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { recorded } from './fixtures.ts';

describe('an output of which nobody says whose it is', () => {
  it.each([
    ['wrk', 'wrk/ichor-http/drogon-2.txt', 'wrk'],
    ['wrk2', 'wrk/wrk2/uncorrected.txt', 'wrk'],
    ['k6', 'k6/compact.txt', 'k6'],
    ['k6, as JSON', 'k6/handle-summary.json', 'k6'],
    ['ab', 'ab/users-1000/golang.txt', 'ab'],
    ['h2load', 'h2load/http2.txt', 'h2load'],
  ])('is recognised as one of %s', (_, name, tool) => {
    expect(parseOutput(null, recorded(name)).tool).toBe(tool);
  });

  it.each([
    ['samples of k6', 'k6/samples.json', /^These are the single samples that k6 writes/],
    ['ab that gave up', 'ab/aborted/reset.txt', /^ab gave up after 149 requests/],
  ])('is refused by the generator that printed it: %s', (_, name, sentence) => {
    expect(() => parseOutput(null, recorded(name))).toThrow(sentence);
  });

  it('is told from blank lines, of which there may be very many', () => {
    // Longer than a test may take where each line looks through all that follow.
    expect(() => parseOutput(null, '\n'.repeat(200_000))).toThrow(/^This is not an output of /);
  });

  it.each([
    ['wrk', 'wrk/wrk2/uncorrected.txt'],
    ['k6', 'k6/terminal.txt'],
    ['ab', 'ab/recorded/few.txt'],
    ['h2load', 'h2load/http2.txt'],
  ])('is refused as one of %s where its end is missing', (tool, name) => {
    const cut = recorded(name).slice(0, 120);
    expect(() => parseOutput(null, cut)).toThrow(`This is not a whole output of ${tool}: `);
  });

  it.each([
    [
      'of two generators',
      recorded('wrk/ichor-http/drogon-2.txt') + recorded('ab/users-1000/golang.txt'),
      'This holds lines of wrk and ab. Give the output of one generator at a time, or say which is meant with --tool.',
    ],
    [
      'of none',
      'Requests per second: 12\n',
      'This is not an output of wrk, k6, ab or h2load: no line of theirs is in it, and the text begins with “Requests per second: 12”. Give the text that the generator prints to standard output at its end, or a summary of k6 as JSON.',
    ],
    [
      'of none, which is empty',
      '',
      'This is not an output of wrk, k6, ab or h2load: no line of theirs is in it, and the text is empty. Give the text that the generator prints to standard output at its end, or a summary of k6 as JSON.',
    ],
  ])('is refused with a sentence: %s', (_, text, message) => {
    expect(() => parseOutput(null, text)).toThrow(new UnreadableOutput(message));
  });
});
