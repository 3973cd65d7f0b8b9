import * as z from 'zod';
import { seconds, textOrTexts, texts } from '../values/forms.ts';
import { count, identifier, imageReference, password, relativePath, settingName } from '../values/scalars.ts';
import { form, orAbsent, orElse, orNull, orShort, required, section, usual } from '../values/section.ts';
import { hostNames } from './host-names.ts';
import { buildSource } from './image-source.ts';

const DATABASES_PHRASE = 'a list of names such as [app, jobs], 16 at most';
const identifiers = textOrTexts(identifier, DATABASES_PHRASE, 16);

/** Without the same name twice. */
function databasesOf(all: object): string[] {
  const { databases = [] } = all as { databases?: string | string[] };
  return [...new Set([databases].flat())];
}

const connections = count('a number of connections, 1 to 65536', 1, 65_536);

const pooler = section({
  kind: required(z.enum(['pgbouncer']), 'Which pooler.'),
  image: usual(imageReference, 'edoburu/pgbouncer:v1.24.1-p1', 'Its image.'),
  mode: usual(
    z.enum(['session', 'transaction', 'statement']),
    'session',
    'When a server connection goes back to the pool.',
  ),
  'default-pool-size': usual(connections, 50, 'Connections to Postgres.'),
  'max-client-connections': usual(connections, 500, 'Connections from the service.'),
});

const ready = section({
  timeout: usual(seconds, '60s', { as: 'timeoutSeconds', description: 'How long to wait for it.' }),
});

/** Its usual image, which stands in sentences too. */
export const POSTGRES_IMAGE = 'postgres:18';

const database = section(
  {
    image: usual(
      imageReference,
      POSTGRES_IMAGE,
      'Image of Postgres, which alone can be the database; with the process runtime a local or embedded server is used instead.',
    ),
    build: orAbsent(
      buildSource,
      'Builds the image of Postgres instead; a plain path is the context. Docker runtime only.',
    ),
    alias: orAbsent(
      hostNames,
      'Host names, besides `database`, under which services and dependencies in containers find it (or its pooler).',
    ),
    settings: orElse(
      texts(settingName, 'a map of settings such as {fsync: off}'),
      {},
      'Postgres settings, as `postgres -c name=value` takes them. Rounds of a comparison run without autovacuum, unless one of its settings is written here.',
    ),
    init: orElse(
      textOrTexts(relativePath, 'a path, or a list such as [sql/schema.sql]', 256),
      [],
      "SQL files, or globs such as migrations/*.sql, run in this order by the database's owner before the service starts; those that match a glob in the order of the numbers in their names.",
    ),
    name: {
      ...usual(identifier, 'bench', 'Name of the database.'),
      read: (written, all) => written ?? databasesOf(all)[0] ?? 'bench',
    },
    databases: {
      ...orAbsent(identifiers, {
        as: 'moreNames',
        description:
          'Several databases of the one server, all of them owned by the role of the service, and their statements counted together. The first, or that of `name`, is the one that `init` fills and that `${database.url}` leads to.',
      }),
      read(_, all) {
        const { name = databasesOf(all)[0] } = all as { name?: string };
        const others = databasesOf(all).filter((each) => each !== name);
        return others.length === 0 ? undefined : others;
      },
    },
    user: usual(identifier, 'bench', "The service's own role."),
    password: orAbsent(
      password,
      'Password of that role, for an image that has one built in; made for each run where it is absent. It is left out of what is shown or stored.',
    ),
    pooler: orNull(
      orShort(
        z.literal('pgbouncer'),
        pooler,
        'pgbouncer, or a map such as {kind: pgbouncer, mode: session}',
        (kind) => ({
          kind,
        }),
      ),
      'A pooler between service and database.',
    ),
    ready: orElse(
      form(ready.written, (written) => ready.read(written).timeoutSeconds, z.number()),
      ready.read({}).timeoutSeconds,
      { as: 'readyTimeoutSeconds', description: 'When it counts as up.' },
    ),
  },
  { id: 'database' },
);

export const databaseOrImage = orShort(
  imageReference,
  database,
  'an image such as postgres:18, or a map such as {image: postgres:18}',
  (image) => ({ image }),
);
