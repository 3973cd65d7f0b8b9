import { describe, expect, it } from 'vitest';
import { speaksRedis } from '../../../src/core/topology/redis.ts';

const image = (reference: string) => ({ image: { kind: 'image', reference } as const, command: null });
const program = (...command: string[]) => ({ image: null, command });

describe('what speaks as Redis does', () => {
  it.each([
    'redis',
    'redis:8',
    'docker.io/library/redis:8-alpine',
    'registry.example:5000/cache/valkey@sha256:0123',
    'redis/redis-stack-server:7.4.0-v1',
  ])('is known by its image: %s', (reference) => expect(speaksRedis(image(reference))).toBe(true));

  it.each([[['redis-server', '--port', '1']], [['/usr/bin/valkey-server']]])('is known by its program: %j', (command) =>
    expect(speaksRedis(program(...command))).toBe(true),
  );

  it.each(['rabbitmq:4', 'oliver006/redis_exporter:v1', 'redis.example/postgres:18', 'bitnami/redis-sentinel'])(
    'is not %s',
    (reference) => expect(speaksRedis(image(reference))).toBe(false),
  );

  it('is not what a client is started by, nor an image of its own that is built', () => {
    expect(speaksRedis(program('redis-cli', 'monitor'))).toBe(false);
    expect(speaksRedis({ image: null, command: null })).toBe(false);
  });
});
