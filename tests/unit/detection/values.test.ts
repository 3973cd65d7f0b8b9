import { describe, expect, it } from 'vitest';
import { isChoice, isPlaceholderValue, isPlainValue, withoutRedirect } from '../../../src/core/detection/values.ts';

describe('a value', () => {
  it.each(['1', '15m', '30 days', '2.5', '10mb', 'true', 'Off', '/run/secrets/key', './keys/jwt.pem', '~/a/b'])(
    'that is a quantity, a switch or a path is no secret: %s',
    (text) => {
      expect(isPlainValue(text)).toBe(true);
    },
  );

  it.each(['s3cr3t', '---', '', 'a1b2c3d4', 'Zm9vYmFy/x==', '12ab34'])('may be a secret: %j', (text) => {
    expect(isPlainValue(text)).toBe(false);
  });

  it.each([
    ...['xx-xxxx-x', 'xxxx', 'bucket_name_here', 'changeme', 'change-this', 'CHANGE_ME', 'your-api-key', 'your_domain'],
    ...[
      '<token>',
      '[insert]',
      '{{ token }}',
      '...',
      '---',
      'replace-me-with-a-random-string',
      'TODO',
      'fixme-postgres-password',
    ],
  ])('holds a place: %s', (text) => {
    expect(isPlaceholderValue(text)).toBe(true);
  });

  it.each(['there', 'exchange', 'production', 'xml', 'a-b', 'settings', 'setup', 'yourself'])('is one: %s', (text) => {
    expect(isPlaceholderValue(text)).toBe(false);
  });

  it('of a few words is a choice, unless its name is that of a secret', () => {
    expect(isChoice('DB_TARGET_SESSION_ATTRS', 'read-write')).toBe(true);
    expect(isChoice('AUTH_BACKEND', 'local')).toBe(true);
    expect(isChoice('DB_PASSWORD', 'postgres')).toBe(false);
    expect(isChoice('SESSION_ID', 'a1b2')).toBe(false);
  });

  it.each([
    ['FORCE_HTTPS', 'true', 'false'],
    ['FORCE_SSL', 'True', 'False'],
    ['APP_ENFORCE_HTTPS', '1', '0'],
    ['SECURE_SSL_REDIRECT', 'on', 'off'],
    ['FORCE_HTTPS', 'false', null],
    ['HTTPS_PROXY', '1', null],
  ])('of %s that is %s sends nobody to HTTPS as %j', (name, text, direct) => {
    expect(withoutRedirect(name, text)).toBe(direct);
  });
});
