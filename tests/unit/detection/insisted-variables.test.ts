import { describe, expect, it } from 'vitest';
import { insistedVariables } from '../../../src/core/detection/insisted-variables.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';
import type { ServiceSign } from '../../../src/core/detection/services.ts';

const FILES = {
  '.env.example': 'MAIL_FROM=\n',
  'package.json':
    '{"name": "shop", "scripts": {"start": "node server.js"}, "dependencies": {"express": "5", "pg": "8"}}',
  'server.js': `const app = express(); app.listen(process.env.PORT);
const keys = ['API_SIGNING_KEY', 'DB_HOST', 'TOKEN_TTL', 'MAIL_FROM', 'PUBLIC_URL'];
for (const key of keys) if (!(key in process.env)) throw new Error('missing ' + key);`,
};
const [service] = proposal(
  Object.entries(FILES).map(([path, content]) => ({ path, content })),
  { folderName: 'shop', isSecret: () => false },
).specs[0]!.parts.services;

const made = (...printed: string[]) =>
  Object.fromEntries(insistedVariables(service!, printed, true).map(({ name, value }) => [name, value]));

describe('variables that a service does not start without', () => {
  it.each([
    ['Error: API_SIGNING_KEY is not set', { API_SIGNING_KEY: 'made-up-value-for-measuring-only' }],
    [
      'Error: Config validation error: "TOKEN_TTL" is required. "PUBLIC_URL" is required',
      { TOKEN_TTL: '10', PUBLIC_URL: 'http://127.0.0.1' },
    ],
    ['Missing environment variables: MAIL_FROM', { MAIL_FROM: 'wrkbench@example.com' }],
    ["KeyError: 'API_SIGNING_KEY'", { API_SIGNING_KEY: 'made-up-value-for-measuring-only' }],
    ['required key DB_HOST missing value', { DB_HOST: '${database.host}' }],
    ['Set the API_SIGNING_KEY environment variable', { API_SIGNING_KEY: 'made-up-value-for-measuring-only' }],
  ])('are named by what it prints: %s', (line, expected) => {
    expect(made('starting', line, '    at server.js:3:9')).toEqual(expected);
  });

  it('have the address of what stands beside it and is called so', () => {
    const beside = (name: string, image: string) => ({ name, image, volumes: [] });
    const names = ['CACHE_HOST', 'REDIS_PORT', 'BROKER_URL', 'QUEUE_URL'];
    const env = names.map((name) => ({ name, from: '', why: '' }));
    const dependencies = [
      beside('cache', 'docker.io/valkey/valkey:8'),
      beside('queue', 'rabbitmq:4'),
      beside('redis', 'redis'),
    ];
    const own = { ...service!, unset: env, dependencies: dependencies as unknown as ServiceSign['dependencies'] };
    const lines = names.map((name) => `${name} is required`);
    expect(insistedVariables(own, lines, true).map(({ name, value }) => [name, value])).toEqual([
      ['CACHE_HOST', '${cache.host}'],
      ['REDIS_PORT', '${redis.port}'],
      ['BROKER_URL', 'http://127.0.0.1'],
      ['QUEUE_URL', 'amqp://${queue.host}:${queue.port}'],
    ]);
  });

  it('are fields of its settings, as pydantic names them', () => {
    const lines = [
      '2 validation errors for Settings',
      'api_signing_key',
      '  Field required [type=missing, input_value={}]',
    ];
    expect(made(...lines)).toEqual({ API_SIGNING_KEY: 'made-up-value-for-measuring-only' });
  });

  it('are none that nothing of it names, that are set, or of which nothing is said', () => {
    expect(made('Error: ENOENT_NO_ENTRY is not defined')).toEqual({});
    expect(made('listening; API_SIGNING_KEY=***')).toEqual({});
    const set = { ...service!, env: [{ name: 'API_SIGNING_KEY', value: 'a', from: '', note: '' }] };
    expect(insistedVariables(set, ['API_SIGNING_KEY must be 64 characters'], true)).toEqual([]);
  });
});
