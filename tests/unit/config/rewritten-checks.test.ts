import { describe, expect, it } from 'vitest';
import { renderDiagnostics } from '../../../src/core/config/diagnostics.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { diagnosticLines, diagnosticsOf, leastWith } from './specs.ts';

const service = (inner: string) => leastWith('').replace('build: ., port', `${inner}, port`);
const endpoint = (inner: string) => leastWith('').replace('ping: /ping', `ping: {path: /ping, ${inner}}`);

describe('a value that becomes text, and that YAML would write otherwise', () => {
  it('is refused at its place, with what it would become', () => {
    const text = service('build: {context: ., args: {PYTHON_VERSION: 3.10}}');
    expect(renderDiagnostics(diagnosticsOf(text), text)).toBe(
      [
        'wrkbench.yml:3:51: services.go.build.args.PYTHON_VERSION is `3.10`, which is read as 3.1: put it in quotes, or write 3.1',
        '  3 |   go: {build: {context: ., args: {PYTHON_VERSION: 3.10}}, port: 8080}',
        '    |                                                   ^^^^',
        '',
      ].join('\n'),
    );
    expect(diagnosticsOf(text)).toMatchObject([{ code: 'wrong-value', found: '3.10', nearest: '"3.10"' }]);
  });

  it.each([
    [service('image: x, env: {UMASK: 0022}'), 'services.go.env.UMASK is `0022`, which is read as 22'],
    [service('image: x, env: {DEBUG: True}'), 'services.go.env.DEBUG is `True`, which is read as true'],
    [service('image: x, env: {ID: 1e3}'), 'services.go.env.ID is `1e3`, which is read as 1000'],
    [service('image: x, env: {MASK: 0xff}'), 'services.go.env.MASK is `0xff`, which is read as 255'],
    [
      service('image: x, env: {ID: 12345678901234567890}'),
      'services.go.env.ID is `12345678901234567890`, which is read as 12345678901234567000',
    ],
    [service('command: [run, -p, 08]'), 'services.go.command.2 is `08`, which is read as 8'],
    [
      leastWith('database: {settings: {log_file_mode: 0640}}'),
      'database.settings.log_file_mode is `0640`, which is read as 640',
    ],
    [endpoint('headers: {x-version: 1.0}'), 'endpoints.ping.headers.x-version is `1.0`, which is read as 1'],
  ])('is refused wherever such a text may stand: %s', (text, message) => {
    const read = message.split(' ').at(-1);
    expect(diagnosticsOf(text).map((each) => each.message)).toEqual([`${message}: put it in quotes, or write ${read}`]);
  });

  it('is taken in quotes, and as it is read', () => {
    const env = (value: string) => readSpec(service(`image: x, env: {A: ${value}}`), 'x.yml').services[0]!.env.A;
    expect([env('"3.10"'), env('3.1'), env("'0022'"), env('22'), env('"True"'), env('true')]).toEqual([
      ...['3.10', '3.1', '0022', '22', 'True', 'true'],
    ]);
  });

  it.each(['8080', 'true', 'false', '0', '-1', '0.5', '3.1', '0o', 'yes', '1_000', '1.2.3', '!!str 0022'])(
    'is none where both are the same: %s',
    (value) => {
      const text = service(`image: x, env: {A: ${value}}, command: [run, ${value}]`);
      expect(diagnosticLines(text)).toEqual([]);
    },
  );

  it('is none where a number is what is meant', () => {
    expect(diagnosticLines(leastWith('price: {cpu-hour: 0.10, gib-hour: 1e-3, currency: USD}'))).toEqual([]);
    expect(diagnosticLines(endpoint('expect: {json: {version: 1.0}}'))).toEqual([]);
  });
});

describe('such a value that stands behind an alias', () => {
  const services = (first: string, second: string) =>
    `name: a\nservices:\n  one: {image: x, port: 80, ${first}}\n  two: {image: x, port: 81, ${second}}\nendpoints: {p: /}\n`;

  it.each([
    ['a map', 'env: &all {UMASK: 0022}', 'env: *all'],
    ['a merged map', 'env: &all {UMASK: 0022}', 'env: {<<: *all, B: 1}'],
    ['the value', 'env: {UMASK: &mask 0022}', 'env: {UMASK: *mask}'],
  ])('is told once, where it is written: %s', (_, first, second) => {
    const text = services(first, second);
    const column = text.split('\n')[2]!.indexOf('0022') + 1;
    expect(diagnosticLines(text)).toEqual([
      `3:${column}: services.one.env.UMASK is \`0022\`, which is read as 22: put it in quotes, or write 22`,
    ]);
  });

  it('is told of a number elsewhere that becomes text here', () => {
    expect(
      diagnosticLines('name: a\nservices: {go: {image: x, port: &port 0x50, env: {PORT: *port}}}\nendpoints: {p: /}\n'),
    ).toEqual(['2:39: services.go.env.PORT is `0x50`, which is read as 80: put it in quotes, or write 80']);
  });

  it('is none where the map that merges it writes it itself', () => {
    expect(diagnosticLines(services('env: &all {A: 1}', 'env: {<<: *all, A: "01"}'))).toEqual([]);
  });
});
