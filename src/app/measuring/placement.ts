import type { Placement } from '../../core/spec/resolved.ts';

/** CPUs of service and database together; a CPU that both have counts once. */
export function cpusOfServer({ service, database }: Placement): string {
  return service === database ? service : `${service},${database}`;
}
