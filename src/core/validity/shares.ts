import { dependenciesNs, type TrialMeasurement, type Utilisation } from '../measurement/measurement.ts';

type Loaded = Pick<TrialMeasurement, 'cpu' | 'duet'>;

/**
 * How full the CPUs of server (service, database, dependencies, gateway; of both sides in a duet) and generator were, and what others
 * took of the server's; 1 is all of them, all the time. A service with a quota of CPU time fills the server when it fills that.
 */
export function loadShares(loaded: Loaded): {
  generator: number;
  server: number;
  foreign: number;
  foreignBesideGenerator: number;
} {
  const { service, database, gateway, dependencies = 0, generator, foreign } = utilisationOf(loaded);
  const { cpu, duet } = loaded;
  const serverCpus = Math.max(1, cpu.serverCpuCount);
  const partner = (duet?.partnerWindowNs ?? 0) / cpu.windowNs;
  const partnerGenerator = (duet?.partnerGeneratorNs ?? 0) / cpu.windowNs;
  return {
    generator: (generator + partnerGenerator) / Math.max(1, cpu.generatorCpuCount),
    server: Math.max(
      (service + database + gateway + dependencies + partner) / serverCpus,
      service / (cpu.serviceCpuQuota ?? Number.POSITIVE_INFINITY),
    ),
    foreign: foreign / serverCpus,
    foreignBesideGenerator: othersOnGeneratorCpus(loaded) / Math.max(1, cpu.generatorCpuCount),
  };
}

/** Shares of one core. */
export function utilisationOf({ cpu, duet }: Loaded): Utilisation {
  const ofParts = cpu.serviceNs + cpu.databaseNs + cpu.gatewayNs + dependenciesNs(cpu);
  const ours = ofParts + (duet?.partnerWindowNs ?? 0);
  return {
    service: cpu.serviceNs / cpu.windowNs,
    database: cpu.databaseNs / cpu.windowNs,
    gateway: cpu.gatewayNs / cpu.windowNs,
    ...(cpu.dependenciesNs === undefined ? {} : { dependencies: dependenciesNs(cpu) / cpu.windowNs }),
    generator: cpu.generatorNs / cpu.windowNs,
    own: cpu.ownNs / cpu.windowNs,
    // The kernel counts busy time in ticks of 10 ms and ours exactly: a little less than nothing is nothing.
    foreign: Math.max(0, cpu.busyNs - ours) / cpu.windowNs,
    steal: cpu.stealNs / cpu.windowNs,
    ...(cpu.busiestThreadNs === undefined ? {} : { busiestThread: cpu.busiestThreadNs / cpu.windowNs }),
  };
}

/** wrkbench itself runs on the generator's CPUs, and is not among the others. */
function othersOnGeneratorCpus({ cpu, duet }: Loaded): number {
  if (cpu.generatorBusyNs === undefined) return 0;
  const ours = cpu.generatorNs + cpu.ownNs + (duet?.partnerGeneratorNs ?? 0);
  return Math.max(0, cpu.generatorBusyNs - ours) / cpu.windowNs;
}
