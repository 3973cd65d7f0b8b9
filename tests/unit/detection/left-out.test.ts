import { describe, expect, it } from 'vitest';
import { groupedLeftOut, type LeftOut } from '../../../src/core/detection/left-out.ts';

const lines = (leftOut: readonly LeftOut[]) => groupedLeftOut(leftOut).map(({ what, why }) => `${what}: ${why}`);
const route = (what: string, why: string): LeftOut => ({ what, why, kind: 'route' });

describe('what is left out', () => {
  it('is told in the order in which it matters', () => {
    expect(
      lines([
        route('POST /a (a.js)', 'no file has a body for it'),
        { what: 'adminer (compose.yml)', why: 'not needed by what is measured', kind: 'service' },
        { what: 'TOKEN of api (.env)', why: 'a secret by its name', kind: 'secret' },
        { what: 'a link', why: 'it is a link' },
        { what: 'queue (compose.yml)', why: 'no file says which image it is', kind: 'needed' },
        { what: 'the image of api', why: 'its build fails', kind: 'broken' },
      ]),
    ).toEqual([
      'the image of api: its build fails',
      'queue (compose.yml): no file says which image it is',
      'TOKEN of api (.env): a secret by its name',
      'adminer (compose.yml): not needed by what is measured',
      'a link: it is a link',
      'POST /a (a.js): no file has a body for it',
    ]);
  });

  it('of one reason is one line, which counts what it does not name', () => {
    const all = Array.from({ length: 27 }, (_, index) =>
      route(`GET /items${index}/{id} (a.js)`, `no file has a value for ${index % 2 === 0 ? 'id' : 'slug'}`),
    );
    expect(lines(all)).toEqual([
      '27 routes have parameters that no file has a value for: GET /items0/{id}, GET /items1/{id}, GET /items2/{id}, GET /items3/{id}, GET /items4/{id} and 22 more',
    ]);
  });

  it('is called by its short name among others, and none is counted that could be named', () => {
    const all = ['A', 'B', 'C', 'D', 'E', 'F'].map(
      (short): LeftOut => ({ what: `${short} of api (.env)`, why: 'no file has a value', short }),
    );
    expect(lines(all)).toEqual(['A, B, C, D, E, F: no file has a value']);
  });

  it('is told once, whoever has found it', () => {
    const own: LeftOut = { what: 'a', why: 'b' };
    expect(lines([own, { ...own }])).toEqual(['a: b']);
  });

  it('takes 12 lines at most, of bounded length', () => {
    const all = Array.from({ length: 20 }, (_, index) => ({ what: `w${index}`, why: `${index} ${'y'.repeat(700)}` }));
    const told = groupedLeftOut(all);
    expect(told).toHaveLength(12);
    expect(told[0]!.why).toHaveLength(401);
    expect(told.at(-1)).toEqual({ what: '9 more reasons', why: 'too many to be listed here' });
  });
});
