import { availableParallelism } from 'node:os';
import type { TestbedRequest } from '../../app/ports/testbed.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import type { TestbedNames } from '../../core/topology/names.ts';
import type { TestbedPart } from '../../core/topology/parts.ts';
import type { ProgramWish } from '../../core/topology/service-plan.ts';
import type { KeptData } from '../postgres/kept-data.ts';
import type { OwnerSession } from '../postgres/session.ts';
import type { Keeper, ServiceBeforeData } from '../prepare/restored-data.ts';
import { machineMemoryBytes } from '../process/machine-memory.ts';
import type { DatabaseTemplates } from './database-template.ts';
import type { EngineLimits, Part } from './part.ts';

export interface TestbedPlan {
  request: TestbedRequest;
  names: TestbedNames;
  cgroupParent: string;
  limits: EngineLimits;
  /** Labels of run and owner. */
  labels: Record<string, string>;
  /** Id of the image that a reference, or the name of what was built, meant when it was prepared. */
  imageOf(reference: string): string;
  templates: DatabaseTemplates;
  /** Told what the testbed lacks although it is up. */
  warn(text: string): void;
}

/** Everything of a testbed that is up. Filled as it comes up, so that what is there can be let go of at any moment. */
export interface Parts {
  service: Part | null;
  startUpNs: number;
  database: Part | null;
  pooler: Part | null;
  gateway: Part | null;
  /** By their names in the spec. */
  dependencies: Map<string, Part>;
  session: OwnerSession | null;
  /** Of the database, where they are put back between cases. */
  data: KeptData | null;
  /** The service before its data. */
  kept: ServiceBeforeData | null;
  /** Of the dependencies that may keep what requests write. */
  keepers: Keeper[];
  /** What its preparation has taken. */
  values: RequestValues;
  origins: { direct: string; gateway: string | null };
}

export function noParts(): Parts {
  return {
    service: null,
    startUpNs: 0,
    database: null,
    pooler: null,
    gateway: null,
    dependencies: new Map(),
    session: null,
    data: null,
    kept: null,
    keepers: [],
    values: {},
    origins: { direct: '', gateway: null },
  };
}

/** All that are up. */
export function partsUp({ service, database, pooler, gateway, dependencies }: Parts): Part[] {
  return [service, database, pooler, ...dependencies.values(), gateway].filter((part) => part !== null);
}

/** What a part is at, whichever it is; null where it is not up. */
export function partNamed(parts: Parts, name: TestbedPart): Part | null {
  return partsUp(parts).find(({ kind }) => kind === name) ?? null;
}

/** What every program of the spec's is given. */
export function programWish(request: TestbedRequest): ProgramWish {
  const machine = { cpuCount: availableParallelism(), memoryBytes: machineMemoryBytes() };
  const { placement, specDirectory: directory } = request;
  return { image: null, placement, placeholders: {}, directory, files: {}, machine };
}
