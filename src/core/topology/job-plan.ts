import { formatCpuList, parseCpuList } from '../config/cpu-list.ts';
import type { JobStep } from '../config/prepare.ts';
import type { Placement, Service } from '../config/resolved.ts';
import type { PartPlan } from './part-plan.ts';
import { type ProgramWish, servicePlan } from './service-plan.ts';

/**
 * A job of `prepare`, planned as the service is: its words stand in place of the service's command, behind the same entrypoint unless
 * it has its own. A job of another image has the service's environment alone. It is not waited for but to its end, and has all of the
 * CPUs: nothing is measured meanwhile, and migrations take minutes of them.
 */
export function jobPlan(service: Service, { command, entrypoint, env, image }: JobStep, wish: ProgramWish): PartPlan {
  const { entrypoint: own, user, volumes, ...shared } = service;
  const asService = image === undefined ? { entrypoint: own, user, volumes } : {};
  const given = Object.entries({ ...asService, ...(entrypoint === undefined ? {} : { entrypoint }) });
  const job: Service = {
    ...shared,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    command,
    env: { ...service.env, ...env },
  };
  return {
    ...servicePlan(job, [], wish),
    ...{ cpus: everyCpu(wish.placement), cpuQuota: null },
    ready: { kind: 'running' },
  };
}

function everyCpu({ service, database, generator }: Placement): string {
  return formatCpuList([service, database, generator].flatMap((cpus) => parseCpuList(cpus) ?? []));
}
