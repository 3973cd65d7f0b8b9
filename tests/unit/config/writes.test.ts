import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { changesData, isWriting } from '../../../src/core/config/writes.ts';

const specOf = (endpoints: string, more = '') =>
  readSpec(
    `name: shop\nservices: {web: {image: acme/web, port: 80}}\ndatabase: postgres:18\nendpoints: {${endpoints}}\n${more}`,
    'wrkbench.yml',
  );
const changes = (endpoints: string, more?: string) => {
  const spec = specOf(endpoints, more);
  return changesData(spec, spec.services[0]!);
};

describe('a request that changes data', () => {
  it.each([
    ['GET', false],
    ['HEAD', false],
    ['OPTIONS', false],
    ['POST', true],
    ['PUT', true],
    ['DELETE', true],
  ])('is told by its method: %s', (method, writes) => {
    expect(isWriting({ method })).toBe(writes);
  });

  it('is told by what the spec says, whatever its method', () => {
    expect(isWriting({ method: 'GET', writes: true })).toBe(true);
    expect(isWriting({ method: 'POST', writes: false })).toBe(false);
  });

  it('is among several that are sent in turn', () => {
    expect(isWriting({ method: 'GET', requestSet: { requests: [{ method: 'GET' }, { method: 'PATCH' }] } })).toBe(true);
    expect(isWriting({ method: 'POST', requestSet: { requests: [{ method: 'GET' }] } })).toBe(false);
  });
});

describe('a service whose data are put back', () => {
  it('has an endpoint that writes, or a mix with one in it, or a file of requests that nobody has read yet', () => {
    expect(changes('items: /items')).toBe(false);
    expect(changes('items: /items, create: {method: POST, path: /items}')).toBe(true);
    expect(changes('items: /items, many: {path: /, requests: traffic.jsonl}')).toBe(true);
    expect(changes('items: /items, many: {path: /, requests: traffic.jsonl, writes: false}')).toBe(false);
    const two = 'items: {path: /items}, bump: {path: /bump, writes: true}';
    expect(changes(two, 'mix: {browse: {items: 8, bump: 2}}\n')).toBe(true);
  });

  it('has something beside it that may keep what is written', () => {
    const of = (beside: string) => {
      const head = 'name: shop\nservices: {web: {image: acme/web, port: 80}}\n';
      const spec = readSpec(`${head}endpoints: {create: {method: POST, path: /items}}\n${beside}`, 'wrkbench.yml');
      return changesData(spec, spec.services[0]!);
    };
    expect(of('')).toBe(false);
    expect(of('database: postgres:18\n')).toBe(true);
    expect(of('dependencies: {redis: {image: redis, port: 6379}}\n')).toBe(true);
    expect(of('dependencies: {mock: {image: mock, port: 80, stateless: true}}\n')).toBe(false);
  });
});
