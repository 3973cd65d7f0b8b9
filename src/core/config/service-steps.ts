import type { PrepareStep } from './prepare.ts';
import type { ResolvedSpec, Service } from './resolved.ts';
import { changesData } from './writes.ts';

/**
 * The steps that a service of the spec goes through before it is asked; none for a reference, which only calibrates. One that writes is
 * started in them, for its own migrations: what its data are put back to was there before its first start otherwise.
 */
export function stepsFor(
  spec: Pick<ResolvedSpec, 'database' | 'dependencies' | 'endpoints' | 'prepare'>,
  service: Pick<Service, 'endpoints' | 'role'>,
): PrepareStep[] {
  if (service.role !== 'subject') return [];
  const { database, dependencies = [], prepare = [] } = spec;
  const isStarted = prepare.some(({ kind }) => kind === 'start' || kind === 'requests');
  const isKept = database !== null || dependencies.some(({ volumes = [] }) => volumes.length > 0);
  if (isStarted || !isKept || !changesData(spec, service)) return prepare;
  return [...prepare, { kind: 'start', isImplied: true }];
}
