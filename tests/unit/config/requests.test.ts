import { describe, expect, it } from 'vitest';
import { casesOf } from '../../../src/core/config/case.ts';
import { specPaths } from '../../../src/core/config/paths.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { diagnosticLines } from './specs.ts';

const HEAD = 'name: a\nservices: {go: {image: acme/go, port: 8080}}\n';
const specWith = (more: string) => readSpec(`${HEAD}${more}`, 'wrkbench.yml');
const endpointOf = (written: string) => specWith(`endpoints: {e: ${written}}\n`).endpoints[0]!;
const told = (more: string) => diagnosticLines(`${HEAD}${more}`);

describe('an endpoint with values', () => {
  it('has them as text, or the statements that give them', () => {
    const { values } = endpointOf('{path: "/a/{id}/{n}", values: {id: [1, b], n: [true, 2.5]}}');
    expect(values).toEqual({ id: ['1', 'b'], n: ['true', '2.5'] });
    const database = 'database: postgres:18\n';
    const each = specWith(`${database}endpoints: {e: {path: "/{id}", values: {id: {sql: select 1}}}}\n`);
    expect(each.endpoints[0]!.values).toEqual({ id: { sql: 'select 1' } });
    const all = specWith(`${database}endpoints: {e: {path: "/{id}", values: {sql: select 1 as id}}}\n`);
    expect(all.endpoints[0]!.values).toEqual({ sql: 'select 1 as id' });
  });

  it('is told what does not fit', () => {
    expect(told('endpoints: {e: {path: "/{id}/{n}", values: {id: [1], m: [1, 2]}}}')).toEqual([
      '3:23: endpoints.e.path holds {n}, and values has no `n`: give it values, or write %7Bn%7D for the braces themselves',
      '3:54: endpoints.e.values.m stands nowhere: expected {m} in the path, a header or the body',
      '3:54: endpoints.e.values.m has 2 values, and id has 1: they are taken row by row, so give as many of each',
    ]);
    expect(told('endpoints: {e: {path: "/{id}", values: {id: {sql: select 1}}}}')).toEqual([
      '3:46: endpoints.e.values.id.sql has no database to read from: add `database`, or write the values out',
    ]);
    expect(told('endpoints: {e: {path: "/{id}", values: {id: 5}}}')).toEqual([
      '3:45: endpoints.e.values.id is `5`: expected a list of values such as [a, b], or {sql: select id from items limit 1000}',
    ]);
    expect(told('endpoints: {e: {path: "/{id}", values: [1]}}')).toEqual([
      '3:32: endpoints.e.values is a list: expected a map such as {id: [1, 2]}, or {sql: select id from items limit 1000}',
    ]);
  });

  it('may have them in a header or the body alone', () => {
    const written = '{method: POST, path: /, headers: {x: "{a}"}, body: "{b}", values: {a: [1], b: [2]}}';
    expect(endpointOf(written).values).toEqual({ a: ['1'], b: ['2'] });
  });
});

describe('an endpoint with a file of requests', () => {
  it('names it among the files of the spec', () => {
    const spec = specWith('endpoints: {e: {path: /, requests: bench/traffic.jsonl}}\n');
    expect(spec.endpoints[0]!.requests).toBe('bench/traffic.jsonl');
    expect(specPaths(spec)).toEqual(['bench/traffic.jsonl']);
  });

  it('has no values besides', () => {
    expect(told('endpoints: {e: {path: "/{a}", values: {a: [1]}, requests: a.jsonl}}')).toEqual([
      '3:49: endpoints.e has both `values` and `requests`: its requests are made of one of them',
    ]);
  });

  it('does not lie elsewhere', () => {
    expect(told('endpoints: {e: {path: /, requests: ../a.jsonl}}')).toEqual([
      "3:36: endpoints.e.requests is `../a.jsonl`: expected a path inside the spec's folder, relative to it, without ..",
    ]);
  });
});

describe('a body', () => {
  it('is made of a form, or of an operation of GraphQL, and posted', () => {
    expect(endpointOf('{path: /, form: {a: b c, n: 1}}')).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=b+c&n=1',
    });
    const query = endpointOf('{method: GET, path: /, headers: {content-type: x/y}, graphql: {query: "{ a }"}}');
    expect(query).toMatchObject({ method: 'GET', headers: { 'content-type': 'x/y' }, body: '{"query":"{ a }"}' });
  });

  it('is made of files when it is sent, which are among those of the spec', () => {
    const spec = specWith(
      'endpoints: {a: {method: PUT, path: /, body-file: a.bin}, b: {path: /, multipart: {t: 1, f: {file: img/b.png, type: image/png}}}}\n',
    );
    const [a, b] = spec.endpoints;
    expect(a).toMatchObject({ method: 'PUT', body: null, content: { kind: 'file', file: 'a.bin' } });
    expect(b).toMatchObject({ method: 'POST', body: null });
    expect(b!.content).toEqual({
      kind: 'multipart',
      parts: [
        { name: 't', text: '1' },
        { name: 'f', file: 'img/b.png', fileName: 'b.png', type: 'image/png' },
      ],
    });
    expect(specPaths(spec)).toEqual(['a.bin', 'img/b.png']);
  });

  it('is one', () => {
    expect(told('endpoints: {e: {path: /, body: x, form: {a: b}, body-file: c}}')).toEqual([
      '3:35: endpoints.e has both `body` and `form`: a request has one body',
      '3:49: endpoints.e has both `body` and `body-file`: a request has one body',
    ]);
  });
});

describe('a mix', () => {
  const ENDPOINTS = 'endpoints: {items: /items, item: /items/1}\n';

  it('is an endpoint of its own, with a case of its own', () => {
    const spec = specWith(
      `${ENDPOINTS}mix: {browse: {items: 8, item: 2}}\nload: {wrk: {connections: 10, keep-alive: on}}\n`,
    );
    expect(spec.endpoints.map(({ name }) => name)).toEqual(['items', 'item', 'browse']);
    expect(spec.endpoints[2]).toMatchObject({ method: 'GET', path: '/', mix: { items: 8, item: 2 } });
    expect(spec).not.toHaveProperty('mix');
    expect(casesOf(spec).map(({ key }) => key)).toContain('go/browse/direct/wrk/keep-alive/10');
  });

  it('is told what does not fit', () => {
    expect(told(`${ENDPOINTS}mix: {items: {itms: 1}, empty: {}, wrong: {item: 0}}`)).toEqual([
      '4:7: mix.items has the name of an endpoint: cases are told apart by it, so give it another',
      '4:15: mix.items names `itms`, which is no endpoint of the spec: expected items or item',
      '4:25: mix.empty is empty: expected at least one endpoint',
      '4:50: mix.wrong.item is `0`: expected a number above 0, 1000000 at most',
    ]);
  });

  it('may be what a service has, and what is searched', () => {
    const text = 'services: {go: {image: acme/go, port: 8080, endpoints: [browse]}}\nendpoints: {items: /items}\n';
    const mix = 'mix: {browse: {items: 1}}\n';
    expect(diagnosticLines(`name: a\n${text}${mix}`)).toEqual([
      '3:13: endpoints.items is asked of no service: name it in the `endpoints` of one',
    ]);
    expect(told(`${ENDPOINTS}mix: {browse: {items: 1}}\nsearch: {endpoint: browse, from: 1, to: 9}`)).toEqual([]);
  });
});

describe('the path that tells that a service is ready', () => {
  it('is that of an endpoint that is one request', () => {
    const spec = specWith('endpoints: {a: {path: "/{id}", values: {id: [1]}}, b: /b}\n');
    expect(spec.services[0]!.ready.path).toBe('/b');
  });
});

describe('a load that cannot send requests which differ', () => {
  it('is told', () => {
    const text = 'endpoints: {e: {path: "/{id}", values: {id: [1]}}, f: /f}\nmix: {m: {f: 1}}\nload: {ab: on}\n';
    expect(told(text)).toEqual([
      '3:32: endpoints.e.values makes requests that differ, and ab sends one again and again: expected a load of wrk or k6',
      '4:7: mix.m makes requests that differ, and ab sends one again and again: expected a load of wrk or k6',
    ]);
  });
});
