import { parseCpuList } from '../../core/config/cpu-list.ts';
import { gatewayPlan } from '../../core/topology/gateway-plan.ts';
import { TESTBED_LABEL } from '../../core/topology/labels.ts';
import { GATEWAY_PORT } from '../../core/topology/nginx.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import { servicePlan } from '../../core/topology/service-plan.ts';
import { originOf } from '../../core/values/protocol.ts';
import { readyRequestOf } from '../../core/verification/ready-request.ts';
import { gatewayConfiguration } from '../network/gateway-configuration.ts';
import { withRefusals } from '../parts/readiness.ts';
import { logsOf } from './containers.ts';
import { startDatabaseSide, startingData } from './database-side.ts';
import { startDependencies } from './dependencies.ts';
import type { Engine } from './engine.ts';
import { keptService } from './kept-service.ts';
import { createNetwork } from './networks.ts';
import type { Part, PartFrame } from './part.ts';
import { ERROR_LOG_LINES } from './part-end.ts';
import { createPart, startCreated, startPlanned, waitForPart } from './planned-part.ts';
import { serviceSeat, serviceWish } from './service-seat.ts';
import type { Parts, TestbedPlan } from './testbed-parts.ts';
import { together } from './together.ts';

/**
 * Brings a testbed up: the networks; database, pooler and dependencies; while these set themselves up, the service's container is
 * made; then the service and the gateway. Nothing goes on any more once this has rejected; removing is the caller's.
 */
export async function bringUp(engine: Engine, plan: TestbedPlan, parts: Parts, signal: AbortSignal): Promise<void> {
  const { request, names } = plan;
  const { spec, service } = request;
  const labels = { ...plan.labels, [TESTBED_LABEL]: names.base };
  const frame: PartFrame = { labels, cgroupParent: plan.cgroupParent, limits: plan.limits };
  const { database, dependencies = [] } = spec;
  const standsBeside = database !== null || dependencies.length > 0;

  await together(
    signal,
    async () => {
      const internal = service.network === 'internal';
      const lack = await createNetwork(engine, { name: names.applicationNetwork, internal, labels });
      if (lack !== null) plan.warn(lack);
    },
    async () => {
      if (standsBeside) await createNetwork(engine, { name: names.databaseNetwork, internal: true, labels });
    },
  );

  signal.throwIfAborted();
  const from = await startingData(engine, plan, frame, signal);
  parts.values = from?.values ?? {};
  const access = database
    ? await startDatabaseSide(engine, plan, database, from?.database ?? null, frame, parts, signal)
    : null;
  signal.throwIfAborted();
  const ofDependencies = { way: 'copied', of: from?.dependencies ?? {} } as const;
  const beside = await startDependencies(engine, plan, access, frame, parts, signal, ofDependencies);
  signal.throwIfAborted();
  const reached = { access, dependencies: beside.reached };
  const planned = servicePlan(service, spec.endpoints, await serviceWish(plan, reached));
  const seat = serviceSeat(plan, names.service, reached);
  await together(
    signal,
    () => createPart(engine, planned, seat, frame),
    async (linked) => {
      await together(linked, async (each) => await access?.ready(each), beside.ready);
    },
  );

  signal.throwIfAborted();
  const startedAt = performance.now();
  const servicePart = await startCreated(engine, planned, seat, frame);
  parts.service = servicePart;
  const address = servicePart.state.addresses[names.applicationNetwork] ?? '';
  parts.origins.direct = originOf(service.protocol, address, service.port);
  parts.kept = keptService(engine, servicePart, { plan: planned, seat, frame, access, request });
  const gateway = await plannedGateway(plan, servicePart);
  await together(
    signal,
    async (linked) => {
      const { database: beside } = parts;
      const printed = beside === null ? null : () => logsOf(engine, beside.state.name, ERROR_LOG_LINES);
      await withRefusals(waitForPart(engine, servicePart, planned, names.applicationNetwork, linked), printed);
      parts.startUpNs = 1e6 * (performance.now() - startedAt);
    },
    async () => {
      if (!gateway) return;
      parts.gateway = await startPlanned(
        engine,
        gateway,
        { container: names.gateway, network: names.applicationNetwork },
        frame,
      );
    },
  );
  if (gateway && parts.gateway) {
    parts.origins.gateway = `http://${parts.gateway.state.addresses[names.applicationNetwork]}:${GATEWAY_PORT}`;
    await waitForPart(engine, parts.gateway, gateway, names.applicationNetwork, signal);
  }
  await parts.data?.remember();
}

async function plannedGateway({ request, names, imageOf }: TestbedPlan, service: Part): Promise<PartPlan | null> {
  const { gateway, endpoints } = request.spec;
  if (gateway === null) return null;
  const cpus = request.placement.service;
  return gatewayPlan({
    image: imageOf(gateway.image),
    cpus,
    workers: parseCpuList(cpus)?.length ?? 1,
    openFiles: request.service.openFiles,
    upstream: `${service.state.addresses[names.applicationNetwork]}:${request.service.port}`,
    asked: readyRequestOf(request.service, endpoints),
    configuration: await gatewayConfiguration(request),
  });
}
