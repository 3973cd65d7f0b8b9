import { expect, it } from 'vitest';
import { rustSettings } from '../../../src/core/detection/programs/rust-settings.ts';

const CODE = `config::Environment::with_prefix("APP").prefix_separator("_").separator("__")`;
const settings = (files: Record<string, string>, code = CODE) =>
  rustSettings(
    [{ path: 'src/settings.rs', content: `fn a() { Config::builder().add_source(${code},).build()?; }` }],
    Object.entries(files).map(([path, content]) => ({ path, content })),
  );
const BASE = `application: {port: 8000, host: 0.0.0.0}
database: {host: 127.0.0.1, port: 5432, username: a, password: b, database_name: c, require_ssl: true, pool: 4}
cache: "redis://127.0.0.1:6379"
mail: {url: https://mail.test}
`;

it('are told of what stands beside the program, and of what the environment of its image lacks', () => {
  expect(
    settings({
      'configuration/base.yaml': BASE,
      'configuration/local.yaml': 'application: {base_url: http://localhost}\n',
      'configuration/production.yaml': 'application: {host: 0.0.0.0}\n',
      Dockerfile: 'FROM x\nENV APP_ENVIRONMENT production\n',
    }),
  ).toEqual({
    port: { value: 8000, from: 'configuration/base.yaml' },
    databaseVariables: {
      APP_DATABASE__HOST: '${database.host}',
      APP_DATABASE__PORT: '${database.port}',
      APP_DATABASE__USERNAME: '${database.user}',
      APP_DATABASE__PASSWORD: '${database.password}',
      APP_DATABASE__DATABASE_NAME: '${database.name}',
      APP_DATABASE__REQUIRE_SSL: 'false',
    },
    variables: [
      { name: 'APP_CACHE', value: 'redis://127.0.0.1:6379', from: 'configuration/base.yaml' },
      { name: 'APP_APPLICATION__BASE_URL', value: 'http://localhost', from: 'configuration/local.yaml' },
    ],
  });
});

it('are joined as the code says, by a dot where it says nothing', () => {
  const names = settings({ 'config/default.yml': BASE }, 'Environment::with_prefix("SHOP")')!.databaseVariables;
  expect(Object.keys(names)[0]).toBe('SHOP_DATABASE.HOST');
});

it('are none where the code reads none', () => {
  expect(settings({ 'configuration/base.yaml': BASE }, 'File::from("x")')).toBeNull();
});
