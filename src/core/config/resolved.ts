/**
 * The spec with every default filled in and every unit made explicit: the only form that the rest of the program sees. What its
 * keys are stands where they are declared.
 */
import type { load } from './load.ts';
import type { placement } from './placement.ts';
import type { spec } from './spec.ts';

type Read = ReturnType<typeof spec.read>;
type ReadService = Read['services'][number];

export type ResolvedSpec = Omit<Read, 'services'> & { services: Service[] };
/** `ready.path` is null where an open port is enough. */
export type Service = Omit<ReadService, 'ready'> & { ready: { path: string | null; timeoutSeconds: number } };
export type Database = NonNullable<Read['database']>;
export type Pooler = NonNullable<Database['pooler']>;
export type Gateway = NonNullable<Read['gateway']>;
export type Endpoint = Read['endpoints'][number];
export type Expectation = Endpoint['expect'];
export type Load = ReturnType<typeof load.read>;
export type CapacitySearch = NonNullable<Read['search']>;
export type Price = NonNullable<Read['price']>;
export type PlacementChoice = Read['placement'];
export type Placement = ReturnType<typeof placement.read>;
export type GateRules = Read['gate'];
export type { Limit, MetricLimit } from './gate.ts';
export type { ImageSource } from './image-source.ts';
export type { WarmUp } from './load.ts';
export type { About } from './service.ts';
