import { describe, expect, it } from 'vitest';
import { diagnosticLines, diagnosticsOf } from './specs.ts';

describe('a key that is misspelt', () => {
  const spec = (more: string, services = 'go: {build: ., port: 8080}') =>
    `name: rest-api\nservices: {${services}}\nendpoints: {ping: /ping}\n${more}`;

  it.each([
    ['dependencies: {redis: {imag: "redis:8"}}', 'unknown key `imag` in dependencies.redis: did you mean `image`?'],
    ['dependencies: {redis: {cmd: [a]}}', 'unknown key `cmd` in dependencies.redis: did you mean `command`?'],
    [
      'dependencies: {redis: {image: "redis:8", prot: 6379, ready: {port: true}}}',
      'unknown key `prot` in dependencies.redis: did you mean `port`?',
    ],
    ['login: {requests: /login, take: {token: $.token}}', 'unknown key `requests` in login: did you mean `request`?'],
    ['login: {stepz: []}', 'unknown key `stepz` in login: did you mean `steps`?'],
    [
      'databse: postgres:18\nprepare: [{sql: a.sql}]',
      'unknown key `databse` at the top level: did you mean `database`?',
    ],
  ])('is told, and not as well that it is missing: %s', (more, message) => {
    expect(diagnosticsOf(spec(more)).map((each) => each.message)).toEqual([message]);
  });

  it.each([
    ['go: {biuld: ., port: 8080}', '', 'unknown key `biuld` in services.go: did you mean `build`?'],
    ['go: {build: ., prot: 8080}', '', 'unknown key `prot` in services.go: did you mean `port`?'],
    [
      'go: {build: ., port: 8080, env: {URL: "${database.url}"}}',
      'databse: postgres:18',
      'unknown key `databse` at the top level: did you mean `database`?',
    ],
    [
      'go: {build: ., port: 8080, env: {REDIS: "${redis.host}:${redis.port}"}}',
      'dependencies: {redis: {image: "redis:8", prot: 6379}}',
      'unknown key `prot` in dependencies.redis: did you mean `port`?',
    ],
    [
      'go: {build: ., port: 8080, env: {REDIS: "${redis.host}:${redis.port}"}}',
      'dependencys: {redis: {image: "redis:8", port: 6379}}',
      'unknown key `dependencys` at the top level: did you mean `dependencies`?',
    ],
  ])('is told once where services need it: %s %s', (services, more, message) => {
    expect(diagnosticsOf(spec(more, services)).map((each) => each.message)).toEqual([message]);
  });

  it('is told once where requests need what it takes', () => {
    const text = spec('logn: {request: /login, take: {token: $.token}}').replace(
      '/ping}',
      '{path: /ping, headers: {a: "${login.token}"}}}',
    );
    expect(diagnosticLines(text)).toEqual(['4:1: unknown key `logn` at the top level: did you mean `login`?']);
  });

  it('hides neither what is missed in another section, nor what it is not near to', () => {
    const text = spec('dependencies: {redis: {imag: "redis:8"}, queue: {port: 1}}', 'go: {build: ., volums: []}');
    expect(diagnosticsOf(text).map((each) => each.message)).toEqual([
      'services.go has no `port`: expected a TCP port, 1 to 65535',
      'unknown key `volums` in services.go: did you mean `volumes`?',
      'unknown key `imag` in dependencies.redis: did you mean `image`?',
      'dependencies.queue does not say what to start: expected `build`, `image` or `command`',
    ]);
    expect(diagnosticsOf(text).flatMap((each) => Object.keys(each))).not.toContain('lacks');
  });
});
