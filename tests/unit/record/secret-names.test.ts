import { describe, expect, it } from 'vitest';
import { isSecretHeader, isSecretName, isSecretVariable } from '../../../src/core/record/secret-names.ts';

describe('the name of a variable', () => {
  it.each([
    ...['DB_PASSWORD', 'PGPASSWORD', 'DB_PASS', 'DBPWD', 'MYSQL_PWD', 'TLS_PASSPHRASE', 'API_TOKEN', 'CLIENT_SECRET'],
    ...[
      'KEY',
      'STRIPE_KEY',
      'SECRET_KEY_BASE64',
      'AWS_ACCESS_KEY_ID',
      'APIKEY',
      'MASTERKEY',
      'API_KEYS',
      'SIGNING_KEY_2',
    ],
    ...[
      'SENTRY_DSN',
      'DSN',
      'JWT',
      'JWT_SIGNING',
      'SALT',
      'HASH_SALT',
      'TLS_CERT',
      'CERT',
      'HMAC',
      'SESSION',
      'SESSION_ID',
    ],
    ...['sessionId', 'apiKey', 'jwt.key', 'AUTH', 'PRIVATE_PEM'],
  ])('%s says that it is a secret', (name) => {
    expect(isSecretVariable(name, 'hunter22')).toBe(true);
  });

  it.each([
    ...['KEYBOARD_LAYOUT', 'KEEP_ALIVE', 'MONKEY', 'TURKEY', 'KEY_PREFIX', 'PRIMARY_KEY', 'CACHE_KEY', 'ROUTING_KEY'],
    ...['BASALT', 'CONCERT', 'SALT_ROUNDS', 'SESSION_TTL', 'SESSION_STORE', 'JWT_ALGORITHM', 'JWT_ISSUER', 'CERT_PATH'],
    ...[
      'COOKIE_DOMAIN',
      'PWD',
      'OLDPWD',
      'PORT',
      'WORKERS',
      'DATABASE_URL',
      'DESIGN',
      'SIGNAL',
      'UPWARD',
      'ASSIGN',
      '',
    ],
  ])('%s does not', (name) => {
    expect(isSecretVariable(name, 'hunter22')).toBe(false);
  });

  it('is of no secret where only the place of one stands', () => {
    expect(isSecretVariable('TLS_CERT', '/etc/tls/server.pem')).toBe(false);
    expect(isSecretVariable('TLS_CERT', '/MIIB0TCB')).toBe(true);
    expect(isSecretVariable('DB_PASSWORD', '/etc/tls/server.pem')).toBe(true);
  });
});

describe('the name of anything else', () => {
  it.each(['password', 'access_token', 'sig', 'X-Amz-Signature', 'X-Amz-Security-Token', 'api_key', 'session', 'auth'])(
    '%s says that it is a secret',
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );

  it.each(['key', 'keys', 'author', 'compass', 'passenger', 'max_tokens', 'sort_key', 'page', 'signup', 'tokenize'])(
    '%s does not',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});

describe('a header', () => {
  it.each([
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'X-API-Key',
    'X-Auth-Token',
    'X-Session-Id',
    'X-Signature',
  ])('%s is a secret', (name) => {
    expect(isSecretHeader(name)).toBe(true);
  });

  it.each(['Accept', 'Keep-Alive', 'Sec-WebSocket-Key', 'Idempotency-Key', 'Cache-Control', 'If-None-Match'])(
    '%s is none',
    (name) => {
      expect(isSecretHeader(name)).toBe(false);
    },
  );
});
