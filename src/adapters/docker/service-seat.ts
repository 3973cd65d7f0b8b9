import type { Dependency } from '../../core/config/dependency.ts';
import { dependencyPlaceholders } from '../../core/config/dependency-order.ts';
import type { Database } from '../../core/config/resolved.ts';
import type { ProgramWish } from '../../core/topology/service-plan.ts';
import { projectFiles } from '../parts/project-files.ts';
import { certificateFor } from '../tls/run-certificate.ts';
import type { DatabaseAccess } from './database-access.ts';
import { dependencyHosts, type Reached } from './dependencies.ts';
import { imageIdOf } from './images.ts';
import type { Seat } from './planned-part.ts';
import { programWish, type TestbedPlan } from './testbed-parts.ts';

/** What a service reaches: its database, or the pooler before it, and its dependencies. */
export interface ReachedParts {
  access: Pick<DatabaseAccess, 'host' | 'placeholders'> | null;
  dependencies: Reached;
}

/** What the service is made with, and what stands in its environment for what it reaches. */
export async function serviceWish(
  { request }: Pick<TestbedPlan, 'request'>,
  reached: ReachedParts,
): Promise<ProgramWish> {
  const { service, specDirectory, artifact } = request;
  return {
    ...programWish(request),
    image: imageIdOf(artifact),
    placeholders: { ...reached.access?.placeholders, ...dependencyPlaceholders(reached.dependencies) },
    files: await projectFiles(service.files, specDirectory, `service ${service.name}`),
    ...(await certificateFor(service)),
  };
}

/** Where a container stands that reaches what the service does. */
export function serviceSeat(
  { request: { spec }, names }: Pick<TestbedPlan, 'request' | 'names'>,
  container: string,
  { access, dependencies }: ReachedParts,
): Seat {
  const all: readonly Dependency[] = spec.dependencies ?? [];
  return {
    container,
    network: names.applicationNetwork,
    joined: spec.database !== null || all.length > 0 ? [names.databaseNetwork] : [],
    hosts: { ...databaseHosts(access, spec.database), ...dependencyHosts(all, dependencies) },
  };
}

/** `database` is the pooler where there is one, as in the URL. */
function databaseHosts(access: ReachedParts['access'], database: Database | null): Record<string, string> {
  if (access === null) return {};
  return Object.fromEntries(['database', ...(database?.alias ?? [])].map((name) => [name, access.host]));
}
