import { describe, expect, it } from 'vitest';
import {
  decidingLine,
  inRepository,
  ownerIn,
  reasonInShort,
  reasonSaid,
} from '../../../../src/core/report/comparison/deciding-line.ts';

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

describe('the line that decides of a service that is not ready', () => {
  const sentence = 'baseline: api: api was asked for http://172.18.0.2:8080/ping for 2 s and answers with status 503.';

  it('is the sentence, whatever it printed last', () => {
    expect(decidingLine(withLog(sentence, ['listening on port 8080']))).toBe(sentence);
    expect(reasonInShort(withLog(sentence, ['listening on port 8080']))).toBe(sentence);
  });

  it('is a line that says why', () => {
    const lines = ['Error: connect ECONNREFUSED 10.0.0.2:5432, connection refused', 'retrying in 5 s'];
    expect(decidingLine(withLog(sentence, lines))).toBe(lines[0]);
  });
});

describe('what is said of a reason', () => {
  const exited = withLog('candidate: api: The service exited with status 1. Its last log lines say why.', [
    'listening soon',
    'KeyError: SHOP_REGION is not set',
  ]);

  it('is its sentence with the line that decides', () => {
    expect(reasonSaid(exited)).toBe(
      'candidate: api: The service exited with status 1: KeyError: SHOP_REGION is not set',
    );
    expect(reasonSaid('The artifact has expired.')).toBe('The artifact has expired.');
  });

  it('is in short what befell whom, and that line alone', () => {
    expect(reasonInShort(exited)).toBe('api exited with status 1: KeyError: SHOP_REGION is not set');
    expect(reasonInShort('candidate: api: It is gone.')).toBe('api: It is gone.');
  });

  it.each([
    [
      'a service that ends before it is ready',
      withLog('go: The service exited with status 1 before it was ready. Its last log lines say why.', [
        'panic: no table',
      ]),
      'go exited with status 1 before it was ready: panic: no table',
    ],
    [
      'a process that prints nothing',
      'candidate: Service go was ended by SIGSEGV before it was ready. It printed nothing.',
      'go was ended by SIGSEGV before it was ready',
    ],
    [
      'a database that is killed',
      withLog('node: The database was ended by SIGKILL (status 137). Its last log lines say why.', ['LOG: ready']),
      'node: the database was ended by SIGKILL: LOG: ready',
    ],
    [
      'an image that is not built',
      withLog('rest-api: The image of service rest-api cannot be built from ./Dockerfile (1). The last lines:', [
        './main.go:12:2: undefined: shop',
        'ERROR: failed to solve: exit code: 1',
      ]),
      'rest-api does not build: ./main.go:12:2: undefined: shop',
    ],
    [
      'an image whose engine says why',
      'The baseline is commit 26ab084 (merge-base with main), built in this run, and cannot be prepared. The image of service go cannot be ' +
        'built from /tmp/x/Dockerfile (docker build --force-rm: COPY failed: file not found (in the context)). Try it by hand: docker build',
      'baseline: go does not build: COPY failed: file not found (in the context)',
    ],
    [
      'a context that is not there',
      'api: The image of service api is not built: /srv/api is a link that leads out of the repository. Put a folder of the repository there.',
      'api does not build: /srv/api is a link that leads out of the repository. Put a folder of the repository there.',
    ],
    [
      'rounds that fell over again and again',
      withLog(
        'candidate: Rounds fell over, or could not be started, 4 times, and no more are started. The last time: go: The service exited with status 3. Its last log lines say why.',
        ['fatal: out of handles'],
      ),
      'go exited with status 3: fatal: out of handles',
    ],
    [
      'init SQL, whose sentence has the line and the error',
      withLog('node: The init SQL failed at bad.sql:3:26: INSERT has more expressions than target columns.', [
        'ERROR:  INSERT has more expressions than target columns at character 26',
      ]),
      'node: The init SQL failed at bad.sql:3:26: INSERT has more expressions than target columns.',
    ],
  ])('names in short %s', (_, message, said) => {
    expect(reasonInShort(message)).toBe(said);
  });

  it('is of each side what that printed', () => {
    const both = `${exited}; baseline: api: The service exited with status 2. Its last log lines say why.\n    panic: no table`;
    expect(reasonSaid(both)).toBe(
      'candidate: api: The service exited with status 1: KeyError: SHOP_REGION is not set; ' +
        'baseline: api: The service exited with status 2: panic: no table',
    );
    expect(reasonInShort(both)).toBe('api exited with status 1: KeyError: SHOP_REGION is not set');
  });

  it('is of a long sentence the beginning in short, and all of it once in a list', () => {
    const sentence =
      'candidate: api: The service ran out of memory: the kernel ended a process of it. Its limit is 512 MiB. ' +
      'Give it more (the `memory` of the service in the spec, without which it gets 40 % of that of the machine), or fewer connections.';
    const killed = withLog(sentence, ['GET /api/users 200']);
    expect(reasonInShort(killed)).toBe(
      'api: The service ran out of memory: the kernel ended a process of it. Its limit is 512 MiB.',
    );
    expect(reasonSaid(killed)).toBe(sentence);
  });

  it('is the sentence of who was killed for its memory, which had no last words', () => {
    const killed = withLog('candidate: api: The service ran out of memory: the kernel ended a process of it.', [
      'GET /',
    ]);
    expect(reasonInShort(killed)).toBe('api: The service ran out of memory: the kernel ended a process of it.');
  });
});

describe('what to try by hand', () => {
  const failed = 'candidate: api: The image of service api cannot be built from server/Dockerfile (exit code: 1).';
  const hint = 'Try it by hand, in the folder of the spec: `docker build server`';
  const printed = ['Step 3/4 : RUN go build .', './main.go:12:2: undefined: shop'];

  it('stands whole behind the line that decides', () => {
    expect(reasonSaid(withLog(`${failed} ${hint}`, printed))).toBe(
      `${failed.slice(0, -1)}: ./main.go:12:2: undefined: shop. ${hint}`,
    );
    expect(reasonSaid(`${failed} ${hint}`)).toBe(`${failed} ${hint}`);
  });

  it('keeps its folder where that is the one of the checkout', () => {
    const command = 'docker build --file /home/runner/work/api/api/Dockerfile /home/runner/work/api/api';
    expect(reasonSaid(withLog(`${failed} Try it by hand: ${command}`, printed))).toMatch(
      / undefined: shop\. Try it by hand: docker build --file Dockerfile \.$/,
    );
  });

  it('is left out where there is no room for all of it, and of a first line', () => {
    const long = `Try it by hand, in the folder of the spec: \`docker build ${'very/'.repeat(80)}deep\``;
    expect(reasonSaid(withLog(`${failed} ${long}`, printed))).toBe(
      `${failed.slice(0, -1)}: ./main.go:12:2: undefined: shop`,
    );
    expect(reasonInShort(`${failed} ${hint}`)).toBe('api does not build: exit code: 1');
    expect(decidingLine(`${failed} ${hint}`)).toBe(failed);
  });
});

describe('a path of the checkout', () => {
  it.each([
    ['/home/runner/work/api/api/src/main.go:12', 'src/main.go:12'],
    ['cannot read /__w/api/api/wrkbench.yml.', 'cannot read wrkbench.yml.'],
    ['(/opt/actions-runner/_work/my.api/my.api/Dockerfile)', '(Dockerfile)'],
    ['/github/workspace/a/b', 'a/b'],
    ['/tmp/wrkbench-worktree-x1Y2/wrkbench-baseline/Dockerfile', 'Dockerfile'],
    ['docker build /home/runner/work/api/api', 'docker build .'],
    ['tar -C /__w/api/api/ -x', 'tar -C . -x'],
    ['cannot open "/github/workspace"', 'cannot open "."'],
    ['/github/workspace/(shop)/page.tsx', '(shop)/page.tsx'],
    ['/app/server.js:3', '/app/server.js:3'],
    ['/home/me/work/api/web/x', '/home/me/work/api/web/x'],
    ['https://example.com/work/api/api/x', 'https://example.com/work/api/api/x'],
  ])('%s is one of the repository', (text, said) => {
    expect(inRepository(text)).toBe(said);
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
