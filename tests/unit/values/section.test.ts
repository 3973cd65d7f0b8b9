import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bytes, seconds } from '../../../src/core/values/forms.ts';
import {
  combined,
  form,
  namedList,
  orAbsent,
  orElse,
  orNull,
  orShort,
  required,
  section,
  usual,
  writtenOnly,
} from '../../../src/core/values/section.ts';

const text = z.string('some text');
const cache = section(
  {
    port: required(z.int('a port'), 'Where it listens.'),
    'wait-for': usual(seconds, '30s', { as: 'waitSeconds', description: 'How long.' }),
    memory: orNull(bytes, { as: 'memoryBytes', description: 'At most.' }),
    'log-level': usual(z.enum(['quiet', 'loud']), 'quiet', { description: 'How much it says.', isNewer: true }),
    alias: orAbsent(text, 'Another name.'),
    words: orElse(z.array(text), [], 'What it says.'),
    eager: usual(
      form(z.boolean(), (is) => (is ? is : undefined), z.literal(true)),
      false,
      'Whether it begins at once.',
    ),
    user: writtenOnly(text, 'Who.'),
    group: combined(
      text,
      { as: 'owner', description: 'And their group.' },
      (all: { user?: string; group?: string }) => [all.user, all.group].filter((name) => name !== undefined).join(':'),
      z.string(),
    ),
  },
  { id: 'cache', phrase: 'a map such as {port: 6379}' },
);

describe('a section', () => {
  it('fills in what is not written, and names each value with its unit', () => {
    expect(cache.read({ port: 6379 })).toEqual({
      port: 6379,
      waitSeconds: 30,
      memoryBytes: null,
      logLevel: 'quiet',
      words: [],
      owner: '',
    });
  });

  it('has values of its own, which others do not share', () => {
    cache.read({ port: 1 }).words.push('changed');
    expect(cache.read({ port: 1 }).words).toEqual([]);
  });

  it('reads what is written', () => {
    const written = { port: 1, 'wait-for': '2m', memory: '1k', alias: 'store', words: ['a'], eager: true, user: 'me' };
    expect(cache.read(written)).toEqual({
      ...{ port: 1, waitSeconds: 120, memoryBytes: 1024, logLevel: 'quiet', alias: 'store', words: ['a'] },
      ...{ eager: true, owner: 'me' },
    });
  });

  it('takes no key that it has not, and says what was expected in its place', () => {
    expect(cache.written.safeParse({ port: 1, prot: 2 }).error?.issues[0]).toMatchObject({ keys: ['prot'] });
    expect(cache.written.safeParse(3).error?.issues[0]?.message).toBe('a map such as {port: 6379}');
    expect(cache.written.safeParse({}).error?.issues).toMatchObject([{ path: ['port'], message: 'a port' }]);
  });

  it('has its usual values as a person would have written them', () => {
    expect(cache.usual).toEqual({ 'wait-for': '30s', 'log-level': 'quiet', eager: false });
  });

  it('is described for editors, with its usual values', () => {
    expect(z.toJSONSchema(cache.written, { io: 'input' }).$defs?.cache).toMatchObject({
      properties: {
        port: { description: 'Where it listens.' },
        'wait-for': { description: 'How long.', default: '30s' },
      },
      required: ['port'],
      additionalProperties: false,
    });
  });

  it('is recorded as it was read, with what a later version adds', () => {
    const whole = { ...cache.read({ port: 1 }), later: 'x' };
    expect(cache.recorded.parse(whole)).toEqual(whole);
  });

  it('is read from a record that was made before there was a newer key, and from no other that lacks one', () => {
    const { logLevel: _, ...before } = cache.read({ port: 1 });
    expect(cache.recorded.parse(before)).toMatchObject({ logLevel: 'quiet' });
    const { waitSeconds: __, ...broken } = cache.read({ port: 1 });
    expect(cache.recorded.safeParse(broken).error?.issues).toMatchObject([{ path: ['waitSeconds'] }]);
  });

  it('takes no figure from a record that is none', () => {
    const whole = cache.read({ port: 1 });
    expect(cache.recorded.safeParse({ ...whole, port: -1 }).success).toBe(false);
    expect(cache.recorded.safeParse({ ...whole, waitSeconds: Number.POSITIVE_INFINITY }).success).toBe(false);
    expect(cache.recorded.safeParse({ ...whole, eager: false }).success).toBe(false);
    expect(cache.recorded.safeParse({ ...whole, logLevel: 'shrill' }).success).toBe(false);
  });

  it('has no key whose record would be a guess', () => {
    expect(() => section({ odd: required(z.union([z.string(), z.number()]), 'Either.') })).toThrow(
      'A record needs to be told how it holds a union: give the key a form.',
    );
  });
});

describe('a short form', () => {
  const short = orShort(z.int(), cache, 'a port, or a map', (port) => ({ port }));

  it('stands for a whole section', () => {
    expect(short.read(6379)).toEqual(cache.read({ port: 6379 }));
    expect(short.read({ port: 2 })).toEqual(cache.read({ port: 2 }));
    expect(short.written.safeParse('x').error?.issues[0]?.message).toBe('a port, or a map');
  });

  it('may stand in a map from names, which is read as a list in the order of the file', () => {
    const list = namedList(z.string(), short, 'a map from names to caches');
    expect(list.read({ b: 2, a: { port: 1 } }).map(({ name, port }) => [name, port])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    expect(list.recorded.safeParse(list.read({ b: 2 })).success).toBe(true);
    expect(list.recorded.safeParse([cache.read({ port: 1 })]).success).toBe(false);
  });
});
