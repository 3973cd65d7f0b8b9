import { describe, expect, it } from 'vitest';
import { diagnosticLines } from './specs.ts';

const spec = (expected: string, more: string, service = '') =>
  `name: a\nservices: {go: {build: ., port: 80${service}}}\nendpoints:\n  ping: /ping\n  missing: {path: /nope, expect: ${expected}}\n${more}`;
const K6 = '`load: {k6: {rate: 60%}}`';

describe('an endpoint that is expected to answer with an error', () => {
  it.each([
    ['404', 'load: {k6: on}'],
    ['503', 'load: {k6: {rate: vus}, wrk: off}'],
    ['302', 'load: {wrk: on, k6: on, h2load: on}'],
    ['204', 'load: {ab: on, wrk: on}'],
    ['{json: {ok: true}}', 'load: {ab: on}'],
    ['404', 'load: {wrk: {script: own.lua}}'],
    ['404', 'load: {k6: on}\nsearch: {from: 10, to: 20}'],
    ['404', 'load: {k6: on}\nsearch: {find: connections, endpoint: ping, from: 10, to: 20}'],
  ])('is loaded by what takes its status for an answer: %s with %s', (expected, load) => {
    expect(diagnosticLines(spec(expected, load))).toEqual([]);
  });

  it.each([
    ['404', '', 'wrk', K6],
    ['404', 'load: {preset: users-1000}', 'ab', K6],
    ['500', 'load: {k6: on, wrk: on, h2load: on}', 'wrk or h2load', K6],
    ['400', 'load: {wrk: on, ab: on, h2load: on}', 'wrk, ab or h2load', K6],
  ])('is refused where another is to load it: %s with %s', (expected, load, unable, instead) => {
    const most = unable.includes('ab') ? 299 : 399;
    expect(diagnosticLines(spec(expected, load))).toEqual([
      `5:34: endpoints.missing.expect is ${expected}, which is a failed request for ${unable}: expected ${instead} or a status from 200 to ${most}`,
    ]);
  });

  it('is refused at its status where more is expected of the answer', () => {
    expect(diagnosticLines(spec('{status: 404, json: {error: not found}}', 'load: {wrk: on}'))).toEqual([
      `5:43: endpoints.missing.expect.status is 404, which is a failed request for wrk: expected ${K6} or a status from 200 to 399`,
    ]);
  });

  it('is told once where it is no status at all', () => {
    expect(diagnosticLines(spec('999', 'load: {wrk: on}'))).toHaveLength(1);
  });

  it('is refused with ab where it redirects', () => {
    const others = '`load: {wrk: {connections: [100]}}`, `load: {k6: {rate: 60%}}`, `load: {h2load: {rate: 60%}}`';
    expect(diagnosticLines(spec('302', 'load: {ab: on}'))).toEqual([
      `5:34: endpoints.missing.expect is 302, which is a failed request for ab: expected ${others} or a status from 200 to 299`,
    ]);
  });

  it('is refused of a service that speaks HTTP/2, which k6 cannot ask for', () => {
    expect(diagnosticLines(spec('404', 'load: {h2load: on}', ', protocol: h2'))).toEqual([
      '5:34: endpoints.missing.expect is 404, which is a failed request for h2load: expected a status from 200 to 399',
    ]);
  });

  it.each([
    ['{find: connections, from: 10, to: 20}', 'wrk'],
    ['{generator: h2load, from: 10, to: 20, endpoint: missing}', 'h2load'],
  ])('is refused where another is to find what it holds: %s', (search, unable) => {
    expect(diagnosticLines(spec('404', `load: {k6: on}\nsearch: ${search}`))).toEqual([
      `5:34: endpoints.missing.expect is 404, which is a failed request for ${unable} of the search: expected \`search: {find: rate, generator: k6}\` or a status from 200 to 399`,
    ]);
  });
});
