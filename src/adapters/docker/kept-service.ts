import type { TestbedRequest } from '../../app/ports/testbed.ts';
import { readingEndpoints } from '../../core/config/writes.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import { withinSeconds } from '../../core/topology/part-readiness.ts';
import { originOf } from '../../core/values/protocol.ts';
import type { ServiceBeforeData } from '../prepare/restored-data.ts';
import type { DatabaseAccess } from './database-access.ts';
import type { Engine } from './engine.ts';
import { type Part, type PartFrame, replacePart } from './part.ts';
import { type Seat, startPlanned, waitForPart } from './planned-part.ts';
import { removeContainers } from './removal.ts';

interface KeptServicePlan {
  plan: PartPlan;
  seat: Seat;
  frame: PartFrame;
  access: DatabaseAccess | null;
  request: TestbedRequest;
}

/** A service whose data are put back; `part` is what stands there, whichever start of it that is. */
export function keptService(
  engine: Engine,
  part: Part,
  { plan, seat, frame, access, request }: KeptServicePlan,
): ServiceBeforeData {
  const { ready, port } = plan;
  const { service, spec } = request;
  return {
    service,
    reading: readingEndpoints(spec.endpoints, service),
    origin: () => originOf(service.protocol, part.state.addresses[seat.network] ?? '', port),
    async answers(timeoutSeconds, signal) {
      await access?.passes(signal);
      await waitForPart(engine, part, { port, ready: withinSeconds(ready, timeoutSeconds) }, seat.network, signal);
    },
    async restart(signal) {
      await removeContainers(engine, [seat.container]);
      replacePart(part, await startPlanned(engine, plan, seat, frame), seat.network);
      await waitForPart(engine, part, plan, seat.network, signal);
    },
  };
}
