import { parseCpuList } from '../../config/cpu-list.ts';
import { cpuQuotaOf } from '../../config/cpu-quota.ts';
import type { CaseRecord, Environment } from '../../record/run-record.ts';
import { placementFor } from '../../topology/placement.ts';
import { VALIDITY_LIMITS } from '../../validity/limits.ts';
import type { Entry, ReportView } from '../view.ts';
import { delayedAckMs } from './timer.ts';

/** Part of the CPU time that there was: 1 is all CPUs of the part, all the time; null where it used none. */
export interface CpuShares {
  /** Service and gateway, with the database where that is on the same CPUs. */
  server: number;
  /** Of the CPU time that the kernel let the service use; null where its CPUs were all that limited it. */
  quota: number | null;
  /** Of a database with CPUs of its own. */
  database: number | null;
  generator: number | null;
  /** Of one CPU: the service's thread that used the most; null where the record does not hold it. */
  thread: number | null;
  /** Of the CPUs of service and database: what neither they nor wrkbench used, and what the hypervisor took. */
  others: number;
}

/**
 * What a case was held up by. `quota`: the service used all the CPU time that it was given. `service`, `database`, `gateway`: the CPUs that it runs on were full, and it used the most of
 * them. `thread`: one thread of the service was always busy, and CPUs beside it were not. `others`: the CPUs were full, by
 * programs that are no part of the run, or by the hypervisor. `one core`: the service alone filled one of several, by no
 * single thread that is known. `timer`: no CPU had much to do, and all requests took as long as a delayed
 * acknowledgement. `no CPU`: time was left on all of them.
 */
export type LimitingPart =
  | 'quota'
  | 'service'
  | 'database'
  | 'gateway'
  | 'thread'
  | 'others'
  | 'one core'
  | 'generator'
  | 'timer'
  | 'no CPU';

export interface Limit {
  part: LimitingPart;
  shares: CpuShares;
}

type Limited = Pick<CaseRecord, 'utilisation' | 'metrics'>;
type Machine = Pick<Environment, 'placement' | 'cpuCount'> & { quota?: number | null };

/** Less than this of its CPUs, and a part waits more than it works. */
const IDLE_SHARE = 0.5;
/** Of full CPUs: with less than this, others were not who filled them. */
const OTHERS_SHARE = 2 * VALIDITY_LIMITS.foreignShare;

/** Of an entry of a report, with the CPUs that its service runs on. */
export function limitOf({ record, label }: Entry, { record: { spec, environment } }: ReportView): Limit | null {
  const own = spec.services.find(({ name }) => name === label);
  const placement = own === undefined ? environment.placement : placementFor(own, environment.placement);
  const quota = own === undefined ? null : cpuQuotaOf(own, environment.placement);
  return limitingPart(record, { ...environment, placement, quota });
}

/** Null where the record does not hold what was used, or which CPUs there were. */
export function limitingPart(record: Limited, { placement, cpuCount, quota = null }: Machine): Limit | null {
  const { utilisation } = record;
  const [forService, forDatabase, forGenerator] = [placement.service, placement.database, placement.generator].map(
    (list) => cpusIn(list, cpuCount),
  );
  if (utilisation === null || forService == null || forDatabase == null || forGenerator == null) return null;
  const { service, gateway, generator, own, foreign, steal } = utilisation;
  // Dependencies run where the database does.
  const database = utilisation.database + (utilisation.dependencies ?? 0);
  if (service + database + gateway === 0) return null;
  const isApart = forDatabase.every((cpu) => !forService.includes(cpu));
  const used = service + gateway + (isApart ? 0 : database);
  const both = new Set([...forService, ...forDatabase]);
  const cpus = isApart ? forService.length : both.size;
  // What the kernel counts on the server's CPUs holds a generator that runs there too.
  const beside = forGenerator.some((cpu) => both.has(cpu)) ? generator + own : 0;
  const shares: CpuShares = {
    server: used / cpus,
    quota: quota === null ? null : service / quota,
    database: isApart && database > 0 ? database / forDatabase.length : null,
    generator: generator > 0 ? generator / forGenerator.length : null,
    thread: utilisation.busiestThread ?? null,
    others: (Math.max(0, foreign - beside) + steal) / both.size,
  };
  const isFull = (share: number | null) => share !== null && share >= VALIDITY_LIMITS.serverBusyShare;
  const most = database >= service && !isApart ? 'database' : 'service';
  const ofServer = gateway > Math.max(service, isApart ? 0 : database) ? 'gateway' : most;
  const all = (service + database + gateway + beside) / both.size + shares.others;
  const part = (): LimitingPart => {
    if (isFull(shares.quota)) return 'quota';
    if (isFull(shares.server)) return ofServer;
    if (isFull(shares.database)) return 'database';
    if (isFull(shares.thread)) return 'thread';
    if (isFull(all) && shares.others >= OTHERS_SHARE) return 'others';
    if (cpus > 1 && service > 0.9 && service < 1.1) return 'one core';
    if ((shares.generator ?? 0) > VALIDITY_LIMITS.generatorBusyShare) return 'generator';
    const isIdle = [shares.server, shares.quota, shares.database, shares.generator, shares.thread].every(
      (share) => (share ?? 0) < IDLE_SHARE,
    );
    return isIdle && delayedAckMs(record) !== null ? 'timer' : 'no CPU';
  };
  return { part: part(), shares };
}

/** An empty list stands for all of the machine. */
function cpusIn(list: string, cpuCount: number): number[] | null {
  return list === '' ? Array.from({ length: cpuCount }, (_, cpu) => cpu) : parseCpuList(list);
}
