import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedCommand } from '../../../src/core/record/redacted-command.ts';
import { redactedText } from '../../../src/core/record/redacted-text.ts';

function told(text: string): { text: string; secrets: string[] } {
  const secrets: string[] = [];
  return { text: redactedText(text, (secret) => secrets.push(secret)), secrets };
}

describe('a text', () => {
  it.each([
    ['postgres://me:pw@host/db', 'postgres://[redacted]@host/db', ['pw']],
    ['postgres://me:p@ss%2Fword@host', 'postgres://[redacted]@host', ['p@ss%2Fword', 'p@ss/word']],
    ['https://ghp_0123456789abcdef@github.com/a', 'https://[redacted]@github.com/a', ['ghp_0123456789abcdef']],
    ['git fetch ssh://git@host/a', 'git fetch ssh://[redacted]@host/a', []],
    ['/users?token=abc&page=2', '/users?token=[redacted]&page=2', ['abc']],
    ['/users?page=2&sig=a%2Bb', '/users?page=2&sig=[redacted]', ['a%2Bb', 'a+b']],
    ['?next=a=b&password=x', '?next=a=b&password=[redacted]', ['x']],
    ['--password=x --workers=4', '--password=[redacted] --workers=4', ['x']],
    ['DB_URL=mysql://h/d?password=x', 'DB_URL=mysql://h/d?password=[redacted]', ['x']],
    ['host=db password=${database.password} token=x', 'host=db password=${database.password} token=[redacted]', ['x']],
    ['export API_TOKEN=\'a b\' JWT="c"', 'export API_TOKEN=\'[redacted]\' JWT="[redacted]"', ['a b', 'c']],
    ['redis:6379,password=x,ssl=True', 'redis:6379,password=[redacted],ssl=True', ['x']],
    ['{"user": "me", "password" : "a\\"b"}', '{"user": "me", "password" : "[redacted]"}', ['a\\"b']],
  ])('%j is %j', (text, expected, secrets) => {
    expect(told(text)).toEqual({ text: expected, secrets });
  });

  it.each([
    'https://example.org/@me',
    'see http://example.org, or write to me@example.org',
    'postgres://${database.user}:${database.password}@${database.host}/x',
    'postgres://app:${database.password}@db/x',
    'password=${database.password}',
    'SELECT id FROM users WHERE password=$1',
    'PASSWORD=$PASSWORD ./go',
    '--tls-cert=/etc/tls/cert.pem',
    'keepAlive=true&author=tolstoy&key=users:1',
    '{"tokens": 5, "author": "x"}',
    'Password: wrong',
  ])('%j stays as it is', (text) => {
    expect(told(text)).toEqual({ text, secrets: [] });
  });

  const pieces = [
    'token',
    'password',
    '=',
    '&',
    '?',
    '://',
    'a',
    '@',
    ':',
    '"',
    "'",
    '${',
    '}',
    '[redacted]',
    '%',
    ' ',
    '$',
  ];
  const text = fc.array(fc.constantFrom(...pieces, '--', 'x'), { maxLength: 25 }).map((parts) => parts.join(''));

  it('is the same when redacted twice', () => {
    fc.assert(
      fc.property(text, (each) => {
        expect(redactedText(redactedText(each))).toBe(redactedText(each));
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['a', 'a=', 'token=', 'a://', 'a:', '"', '"token":', '"token":"', "token='", '-', '\\"', 'a.'])(
    'of a million letters, %j again and again, is read in the time that its length takes',
    (piece) => {
      const long = piece.repeat(1_000_000 / piece.length);
      expect(redactedText(long).length).toBeGreaterThan(0);
    },
    5_000,
  );
});

describe('a command', () => {
  it.each([
    [
      ['./go', '--api-key', 'x1', '--port', '80'],
      ['./go', '--api-key', '[redacted]', '--port', '80'],
    ],
    [
      ['./go', '--password=x1'],
      ['./go', '--password=[redacted]'],
    ],
    [
      ['sh', '-c', 'TOKEN=x1 ./go --jwt-secret x2 --port 80'],
      ['sh', '-c', 'TOKEN=[redacted] ./go --jwt-secret [redacted] --port 80'],
    ],
    [
      ['./go', '--db', 'postgres://a:b@db/x'],
      ['./go', '--db', 'postgres://[redacted]@db/x'],
    ],
  ])('%j is %j', (words, expected) => {
    expect(redactedCommand(words)).toEqual(expected);
    expect(redactedCommand(expected)).toEqual(expected);
  });

  it.each([
    [['node', '--no-auth', 'server.js']],
    [['./go', '--require-auth', './data']],
    [['./go', '--token', '--verbose']],
    [['./go', '--key', '/etc/tls/key.pem', '--tls-cert', '/etc/tls/cert.pem']],
    [['./go', '--password', '${database.password}']],
    [['./go', 'password', 'x1']],
  ])('%j stays as it is', (words) => {
    expect(redactedCommand(words)).toEqual(words);
  });
});
