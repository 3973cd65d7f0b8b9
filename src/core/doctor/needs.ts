import { type Case, closesEach } from '../config/case.ts';
import { isPartial } from '../config/cpu-quota.ts';
import { AUTO_WARM_UP, PRESETS } from '../config/load.ts';
import type { CapacitySearch, GateRules, ResolvedSpec, Service, WarmUp } from '../config/resolved.ts';
import { type GeneratorName, warmUpGenerator, warmUpGenerators } from '../generators/registry.ts';
import { syscallsPerRequest } from '../metrics/counts.ts';
import type { Plan } from '../plan/plan.ts';

/** What a plan needs of the machine that it is measured on, whichever machine that is. */
export interface MachineNeeds {
  /** Generator → number of cases that it drives, a search as one of them; 0 where it only warms up for others. */
  generators: Partial<Record<GeneratorName, number>>;
  warmUpGenerators: GeneratorName[];
  database: boolean;
  pooler: boolean;
  /** The spec limits system calls per request. */
  syscalls: boolean;
  gateway: boolean;
  /** Services that cannot be put into a container, without those that are optional. */
  withoutImage: string[];
  /** The same, of those that cannot be started as a process. */
  withoutCommand: string[];
  /** The same, of those whose network is to have no way out. */
  internal: string[];
  /** The same, of those that have a part of a CPU. */
  partsOfCpu: string[];
  /** A service's network has one. */
  openNetwork: boolean;
  /** Most connections of one case. */
  connections: number;
  /** Services whose own limit of open files is below what their connections need. */
  narrowServices: { service: string; openFiles: number }[];
  /** Open files of one process: the generator, the service, and the gateway, which has two for each connection. */
  openFiles: { generator: number; service: number; gateway: number };
  /** Longest load without keep-alive, warm-up included, seconds; null where every case has keep-alive. */
  closingSeconds: number | null;
  /** What the run's folder takes, generously. */
  outputBytes: number;
  /** Service, database and generator together. */
  memoryBytes: number;
}

/** A program's own files beside its connections: libraries, logs, epoll, a pool to the database. */
const OPEN_FILES_MARGIN = 256;
const MEBIBYTE = 1024 ** 2;
/** Taken for a service that has no limit of its own. */
const SERVICE_BYTES = 256 * MEBIBYTE;
const DATABASE_BYTES = 128 * MEBIBYTE;
const GENERATOR_BYTES = 128 * MEBIBYTE;
/** Buffers of both ends of a connection, kernel and program. */
const CONNECTION_BYTES = 32 * 1024;
/** Report, record and journal without any case. */
const FOLDER_BYTES = 8 * MEBIBYTE;
/** k6's summary is the largest of what a trial leaves behind, a few 10 KiB. */
const CASE_BYTES = 128 * 1024;

export function needsOf(spec: ResolvedSpec, plan: Plan): MachineNeeds {
  const services = plan.services.map(({ service }) => service);
  const required = services.filter(({ optional }) => optional !== true);
  const cases = plan.services.flatMap((planned) => planned.cases);
  const connections = mostConnections(cases);
  const openFiles = openFilesFor(connections);
  const started = [...required, ...(spec.dependencies ?? [])];
  return {
    generators: generatorsOf(cases, spec.search),
    warmUpGenerators: warmUpGenerators(cases),
    database: spec.database !== null,
    pooler: spec.database?.pooler != null,
    syscalls: limitsSyscalls(spec.gate),
    gateway: cases.some(({ route }) => route === 'gateway'),
    withoutImage: started.filter(({ image }) => image === null).map(({ name }) => name),
    withoutCommand: started.filter(hasNoCommand).map(({ name }) => name),
    internal: required.filter(({ network }) => network === 'internal').map(({ name }) => name),
    partsOfCpu: required.filter(({ cpus }) => isPartial(cpus)).map(({ name }) => name),
    openNetwork: services.some(({ network }) => network === 'open'),
    connections,
    narrowServices: plan.services.flatMap((planned) => narrow(planned.service, planned.cases)),
    openFiles,
    closingSeconds: closingSeconds(cases, spec.load.warmUp),
    outputBytes: FOLDER_BYTES + cases.length * CASE_BYTES,
    memoryBytes: memoryBytes(services, spec, connections),
  };
}

/** A process is started by its entrypoint as well. */
function hasNoCommand({ entrypoint = [], command }: Pick<Service, 'entrypoint' | 'command'>): boolean {
  return entrypoint.length === 0 && command === null;
}

/** Where there is no spec yet: the `standard` preset for a service that can be started in any way. */
export function standardNeeds(): MachineNeeds {
  const { wrk, k6 } = PRESETS.standard;
  const most = Math.max(...wrk.connections, ...k6.connections);
  const casesOf = (generator: Pick<typeof wrk | typeof k6, 'connections' | 'keep-alive'>) =>
    generator.connections.length * generator['keep-alive'].length;
  const generators = { wrk: casesOf(wrk), k6: casesOf(k6) };
  return {
    generators,
    warmUpGenerators: [warmUpGenerator('wrk', 'h1')],
    database: false,
    pooler: false,
    syscalls: false,
    gateway: false,
    withoutImage: [],
    withoutCommand: [],
    internal: [],
    partsOfCpu: [],
    openNetwork: true,
    connections: most,
    narrowServices: [],
    openFiles: openFilesFor(most),
    closingSeconds: Number.parseFloat(wrk.duration) + AUTO_WARM_UP.maxSeconds,
    outputBytes: FOLDER_BYTES + (generators.wrk + generators.k6) * CASE_BYTES,
    memoryBytes: SERVICE_BYTES + GENERATOR_BYTES + most * CONNECTION_BYTES,
  };
}

function limitsSyscalls({ metrics, cases }: GateRules): boolean {
  const { name } = syscallsPerRequest;
  return [metrics, ...Object.values(cases)].some(
    (limits) => Object.hasOwn(limits, name) && Object.keys(limits[name]!).length > 0,
  );
}

function generatorsOf(cases: Case[], search?: CapacitySearch): MachineNeeds['generators'] {
  const counts: MachineNeeds['generators'] = Object.fromEntries(warmUpGenerators(cases).map((name) => [name, 0]));
  for (const { generator } of cases) counts[generator] = (counts[generator] ?? 0) + 1;
  if (search !== undefined) counts[search.generator] = (counts[search.generator] ?? 0) + 1;
  return counts;
}

function mostConnections(cases: Case[]): number {
  return Math.max(1, ...cases.map(({ connections }) => connections));
}

function openFilesFor(connections: number): MachineNeeds['openFiles'] {
  const one = connections + OPEN_FILES_MARGIN;
  return { generator: one, service: one, gateway: 2 * connections + OPEN_FILES_MARGIN };
}

function narrow(service: Service, cases: Case[]): MachineNeeds['narrowServices'] {
  const needed = openFilesFor(mostConnections(cases)).service;
  return service.openFiles < needed ? [{ service: service.name, openFiles: service.openFiles }] : [];
}

function closingSeconds(cases: Case[], warmUp: WarmUp): number | null {
  const closing = cases.filter(closesEach);
  if (closing.length === 0) return null;
  const warmUpSeconds = warmUp.kind === 'fixed' ? warmUp.seconds : warmUp.maxSeconds;
  // ab counts requests and not seconds: the warm-up is what is known of its length.
  return warmUpSeconds + Math.max(...closing.map(({ load }) => ('durationSeconds' in load ? load.durationSeconds : 0)));
}

function memoryBytes(
  services: Service[],
  { database, dependencies = [] }: Pick<ResolvedSpec, 'database' | 'dependencies'>,
  connections: number,
): number {
  // Services run one after the other.
  const service = Math.max(0, ...services.map((each) => each.memoryBytes ?? SERVICE_BYTES));
  const databaseBytes = database === null ? 0 : DATABASE_BYTES + sharedBuffers(database.settings.shared_buffers);
  const beside = dependencies.reduce((sum, each) => sum + (each.memoryBytes ?? SERVICE_BYTES), 0);
  return service + databaseBytes + beside + GENERATOR_BYTES + connections * CONNECTION_BYTES;
}

/** Postgres's own notation; a plain number counts pages of 8 KiB. Its default is 128 MB. */
function sharedBuffers(setting: string | undefined): number {
  const match = /^\s*(\d+)\s*(B|kB|MB|GB|TB)?\s*$/.exec(setting ?? '128MB');
  if (match === null) return 128 * MEBIBYTE;
  const units: Record<string, number> = { B: 1, kB: 1024, MB: MEBIBYTE, GB: 1024 ** 3, TB: 1024 ** 4 };
  return Number(match[1]) * (units[match[2] ?? ''] ?? 8192);
}
