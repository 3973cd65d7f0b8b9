import { describe, expect, it } from 'vitest';
import { decidingLine, ownerIn } from '../../../src/core/posting/deciding-line.ts';

const withLog = (sentence: string, lines: string[]) => [sentence, ...lines.map((line) => `    ${line}`)].join('\n');

describe('the line that decides', () => {
  it('is the last words of a service that exits, and not a path of the machine', () => {
    const message = withLog('api: The service exited with status 1. Its last log lines say why.', [
      'listening soon',
      'KeyError: SHOP_REGION is not set',
      '    at /app/server.js:3',
    ]);
    expect(decidingLine(message)).toBe('KeyError: SHOP_REGION is not set');
  });

  it.each([
    [
      'of classic docker build',
      [
        'Step 3/4 : RUN go build .',
        './main.go:12:2: undefined: shop',
        "The command '/bin/sh -c go build .' returned a non-zero code: 1",
      ],
      './main.go:12:2: undefined: shop',
    ],
    [
      'of buildx',
      [
        '#9 [3/3] RUN cargo build',
        'error[E0425]: cannot find value `shop` in this scope',
        '------',
        'Dockerfile:4',
        '>>> RUN cargo build',
        'ERROR: failed to solve: process "/bin/sh -c cargo build" did not complete successfully: exit code: 101',
      ],
      'error[E0425]: cannot find value `shop` in this scope',
    ],
  ])('is the compiler’s, %s', (_, lines, line) => {
    const sentence = 'api: The image of service api cannot be built from /home/runner/work/api/api/Dockerfile (1).';
    expect(decidingLine(withLog(sentence, lines))).toBe(line);
  });

  it('is the last one where none says why, and the sentence where nothing was printed', () => {
    expect(decidingLine(withLog('api: It exited.', ['one', 'two']))).toBe('two');
    expect(decidingLine('api: It exited. It printed nothing.')).toBe('api: It exited. It printed nothing.');
  });
});

describe('whose a reason is', () => {
  it.each([
    ['candidate: api: The service exited', 'candidate: api'],
    ['api: The service exited', 'api'],
    ['The service exited', ''],
  ])('of %s', (message, owner) => {
    expect(ownerIn(message)).toBe(owner);
  });
});
