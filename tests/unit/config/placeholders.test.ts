import { describe, expect, it } from 'vitest';
import { PlaceholderError, placeholdersIn, substitute } from '../../../src/core/config/placeholders.ts';

const values = {
  'database.url': 'postgres://bench:secret@10.0.0.2:5432/bench',
  'database.host': '10.0.0.2',
  port: '8080',
  service: 'go',
};

describe('substitution', () => {
  it.each([
    ['nothing here', 'nothing here'],
    ['${database.url}?sslmode=disable', 'postgres://bench:secret@10.0.0.2:5432/bench?sslmode=disable'],
    ['${service}:${port}:${service}', 'go:8080:go'],
    ['$${HOME} $HOME $$', '${HOME} $HOME $$'],
    ['$$${port}', '$${port}'],
    ['$&${port}$1', '$&8080$1'],
  ])('%s', (text, expected) => {
    expect(substitute(text, values)).toBe(expected);
  });

  it.each([
    ['${database.ulr}', '`${database.ulr}` is not a placeholder: did you mean `${database.url}`?', 'database.url'],
    ['${DATABASE_URL}', '`${DATABASE_URL}` is not a placeholder: did you mean `${database.url}`?', 'database.url'],
    ['${database.name}', '`${database.name}` has no value here: the spec has no `database`', 'database.name'],
    ['${tls.key}', '`${tls.key}` has no value here: the service is not asked over TLS (`protocol`)', 'tls.key'],
    ['a ${port', 'the placeholder `${port` is not closed: end it with }', null],
    [
      '${constructor}',
      '`${constructor}` is not a placeholder: use one of database.url, database.host, database.port, database.name, database.user, database.password, port, service, folder, cpus, tls.certificate, tls.key',
      null,
    ],
  ])('%s is an error', (text, message, nearest) => {
    const error = (() => {
      try {
        return substitute(text, values);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(PlaceholderError);
    expect(error).toMatchObject({ message, nearest });
  });

  it('does not look for placeholders in what it has put in', () => {
    expect(substitute('${service}', { service: '${port}' })).toBe('${port}');
  });
});

describe('finding', () => {
  it('gives each with its place, and passes over what is escaped', () => {
    expect(placeholdersIn('a${port} $${no} ${x')).toEqual([
      { name: 'port', offset: 1, length: 7, closed: true },
      { name: 'x', offset: 16, length: 3, closed: false },
    ]);
  });
});
