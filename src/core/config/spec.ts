/**
 * `wrkbench.yml`: what a person may write, and what becomes of it. The JSON Schema for editors, the tables of `docs/spec-keys.md` and
 * the form in `run.json` are made from this. Each section of it has a file of its own.
 */
import * as z from 'zod';
import { slug } from '../values/scalars.ts';
import { namedList, orAbsent, orElse, orNull, required, section, usual, writtenOnly } from '../values/section.ts';
import { databaseOrImage } from './database.ts';
import { dependency } from './dependency.ts';
import { endpointOrPath } from './endpoint.ts';
import { gate } from './gate.ts';
import { gatewayOrKind } from './gateway.ts';
import { hostName } from './host-names.ts';
import { load } from './load.ts';
import { login } from './login.ts';
import { mixes } from './mix.ts';
import { placementOrAuto } from './placement.ts';
import { prepare } from './prepare.ts';
import { search } from './search.ts';
import { service } from './service.ts';

const AMOUNT_PHRASE = 'an amount such as 0.04, 0 to 1000000';
const amount = z.number(AMOUNT_PHRASE).min(0, AMOUNT_PHRASE).max(1_000_000, AMOUNT_PHRASE);

const price = section({
  'cpu-hour': required(amount, 'Of one CPU, busy for an hour.'),
  'gib-hour': required(amount, 'Of one GiB of memory, held for an hour.'),
  currency: required(
    z.string('three capital letters such as USD').regex(/^[A-Z]{3}$/, 'three capital letters such as USD'),
    'What both amounts are in.',
  ),
});

export const spec = section(
  {
    name: required(slug, 'Name of the spec, its own in the repository: part of the status and of the pages.'),
    services: required(namedList(slug, service, 'a map from names to services'), 'The servers under test.'),
    database: orNull(databaseOrImage, 'Postgres beside each service; a plain text is the image.'),
    dependencies: orAbsent(
      namedList(hostName, dependency, 'a map from names to dependencies'),
      'Other servers beside each service: Redis, RabbitMQ, a mock of a third party. Each side has its own, on the CPUs of the database; their CPU time counts with that of the service. Reached as `${NAME.host}` and `${NAME.port}`, in containers also under their names.',
    ),
    prepare: orAbsent(
      prepare,
      "What makes the data of each service after `database.init`, in this order, once for each side and build: commands that end, SQL, the service's own start, requests. What it leaves is kept, and every start begins with it.",
    ),
    gateway: orNull(gatewayOrKind, 'Every case once more through a gateway.'),
    login: orAbsent(
      login,
      'What is asked once of each side and at each of its starts, before it is measured, and what is taken from the answers.',
    ),
    endpoints: required(
      namedList(slug, endpointOrPath, 'a map from names to endpoints'),
      'What is asked, and what the answer must be; a plain text is the path.',
    ),
    mix: writtenOnly(
      mixes,
      'Endpoints that are asked in turn, as one case: `{browse: {items: 8, item: 2}}` asks `items` four times as often as `item`.',
    ),
    load: orElse(load, load.read({}), 'Who asks, how hard and for how long.'),
    search: orAbsent(search, 'Finds the highest rate, or the most connections, that each service holds within limits.'),
    placement: usual(placementOrAuto, 'auto', 'Which CPUs each part runs on.'),
    price: orAbsent(price, 'What the machine costs: reports then say what a million requests cost.'),
    gate: orElse(gate, gate.read({}), 'When a comparison fails.'),
  },
  { phrase: 'a map with name, services and endpoints' },
);

export type WrittenSpec = Parameters<typeof spec.read>[0];
export const specSchema = (spec.written as z.ZodType<WrittenSpec>).meta({
  title: 'wrkbench spec',
  description: 'What wrkbench measures, how, and when a comparison fails.',
});
