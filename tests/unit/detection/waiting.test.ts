import { describe, expect, it } from 'vitest';
import { withoutWaiting } from '../../../src/core/detection/waiting.ts';

describe('a command that waits for another container', () => {
  it.each([
    [
      ['./wait-for-it.sh', 'db:5432', '-t', '30', '--', 'node', 'server.js'],
      ['node', 'server.js'],
    ],
    [['./wait-for-it.sh', 'db:5432', '-t', '30'], []],
    [['./wait-for-postgres.sh', 'db', './server'], ['./server']],
    [
      ['./wait-for-postgres.sh', 'node', 'server.js'],
      ['node', 'server.js'],
    ],
    [
      ['dockerize', '-wait', 'tcp://db:5432', '-timeout', '60s', 'gunicorn', 'app'],
      ['gunicorn', 'app'],
    ],
    [
      ['sh', '-c', 'while ! nc -z db 5432; do sleep 1; done; exec serve'],
      ['sh', '-c', 'exec serve'],
    ],
    [
      ['bash', '-c', 'while !</dev/tcp/db/5432; do sleep 1; done; uwsgi app.ini'],
      ['bash', '-c', 'uwsgi app.ini'],
    ],
    [
      ['sh', '-c', 'until pg_isready -h db\ndo\n  echo waiting\n  sleep 1\ndone\nmigrate && serve'],
      ['sh', '-c', 'migrate && serve'],
    ],
    [
      ['sh', '-c', '/wait && serve'],
      ['sh', '-c', 'serve'],
    ],
    [
      ['sh', '-c', './wait-for-it.sh db:5432 && ./wait-for cache:6379 && serve'],
      ['sh', '-c', 'serve'],
    ],
    [
      ['sh', '-c', './wait-for-it.sh db:5432 -- serve --now'],
      ['sh', '-c', 'serve --now'],
    ],
    [
      ['sh', '-c', 'sleep 10 && serve'],
      ['sh', '-c', 'serve'],
    ],
    [
      ['node', 'server.js', '--', 'x'],
      ['node', 'server.js', '--', 'x'],
    ],
    [
      ['waitress-serve', '--port', '80', 'app:app'],
      ['waitress-serve', '--port', '80', 'app:app'],
    ],
  ])('%j is %j', (words, rest) => {
    expect(withoutWaiting(words)).toEqual(rest);
  });
});
