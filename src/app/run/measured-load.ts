import type { Placement, ResolvedSpec } from '../../core/config/resolved.ts';
import { type FittedLoad, fittedLoad } from '../../core/plan/fitting-load-text.ts';
import type { Testbed } from '../ports/testbed.ts';
import { type CapacityAdapters, endpointCapacities } from './endpoint-capacities.ts';
import type { EndpointToMeasure } from './kept-endpoints.ts';

export interface LoadRequest {
  /** What is written of the service, with any endpoints and load. */
  spec: ResolvedSpec;
  /** Those that the service was seen to answer, as they are asked. */
  endpoints: readonly EndpointToMeasure[];
  placement: Placement;
  /** Of the machine. */
  cpus: number;
  /** Until the service answered; 0 where that is not known. */
  startSeconds: number;
  /** It was seen to close each connection: a generator that wants to keep its own would count every end as a failure. */
  closes: boolean;
}

/** Measures what a service that is up answers, and fits a load to that. Rejects only with the signal's reason. */
export async function measuredLoad(
  testbed: Testbed,
  { spec, endpoints, placement, cpus, startSeconds, closes }: LoadRequest,
  adapters: CapacityAdapters,
  signal: AbortSignal,
): Promise<FittedLoad> {
  const { name } = testbed.service;
  const services = spec.services.map((each) =>
    closes && each.name === name ? { ...each, keepAlive: 'closes' as const } : each,
  );
  const own = { ...spec, services, endpoints: endpoints.map(({ written: _, ...asked }) => asked) };
  const seen = await endpointCapacities(
    testbed,
    { spec: own, endpoints: own.endpoints, cpus: placement.generator },
    adapters,
    signal,
  );
  const shown = { ...own, endpoints: endpoints.map(({ written, ...asked }) => ({ ...asked, path: written })) };
  return fittedLoad(shown, { ...seen, cpus, startSeconds });
}
