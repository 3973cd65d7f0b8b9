import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { Placement } from '../../core/config/resolved.ts';

/** CPUs of service and database together; a CPU that both have counts once. */
export function cpusOfServer({ service, database }: Placement): string {
  return service === database ? service : `${service},${database}`;
}

/** Whether the generator has CPUs that neither service nor database may use. */
export function areApart(placement: Placement): boolean {
  const own = parseCpuList(placement.generator) ?? [];
  const server = new Set(parseCpuList(cpusOfServer(placement)) ?? []);
  return own.length > 0 && own.every((cpu) => !server.has(cpu));
}
