import type { Variant } from '../measurement/names.ts';

/** What the parts of one testbed are called. All names are known before anything exists, so that all can be removed. */
export interface TestbedNames {
  /** `wrkbench-<run>-<service>-<variant>-<testbed>`: what every other name begins with. */
  base: string;
  applicationNetwork: string;
  databaseNetwork: string;
  service: string;
  database: string;
  pooler: string;
  gateway: string;
  /** By their names in the spec. */
  dependencies: Record<string, string>;
}

export interface TestbedIdentity {
  runId: string;
  service: string;
  variant: Variant;
  round: number;
}

export function testbedNames(identity: TestbedIdentity, dependencies: readonly string[] = []): TestbedNames {
  const { runId, service, variant, round } = identity;
  const base = ['wrkbench', word(runId), word(service), variant, String(round)].join('-');
  return {
    base,
    applicationNetwork: `${base}-app`,
    databaseNetwork: `${base}-db`,
    service: `${base}-service`,
    database: `${base}-database`,
    pooler: `${base}-pooler`,
    gateway: `${base}-gateway`,
    dependencies: Object.fromEntries(dependencies.map((name) => [name, `${base}-dependency-${word(name)}`])),
  };
}

/** Of all parts, whether they are there or not. */
export function containersOf({ service, database, pooler, gateway, dependencies }: TestbedNames): string[] {
  return [service, database, pooler, gateway, ...Object.values(dependencies)];
}

/** `wrkbench-runner-container-3f2c1ab9`; see `core/topology/runner-container.ts`. */
export function runnerContainerName(suffix: string): string {
  return `${RUNNER_CONTAINER_PREFIX}${suffix}`;
}

export function isRunnerContainer(name: string): boolean {
  return name.startsWith(RUNNER_CONTAINER_PREFIX);
}

const RUNNER_CONTAINER_PREFIX = 'wrkbench-runner-container-';

/** Folder under each cgroup hierarchy that holds ours, with the cgroupfs driver. */
export const CGROUP_FOLDER = 'wrkbench';

/**
 * The parent cgroup of one testbed, which gives each variant the same weight.
 *
 * With the cgroupfs driver a path, named as the testbed is and removed with it. With systemd's a slice, where a dash
 * opens a level (`wrkbench-a.slice` lies in `wrkbench.slice`). systemd keeps a slice after its last container, and nobody but
 * root may remove what the engine has made: their names leave out the run, so that only as many stay until the next boot as
 * a run has testbeds.
 */
export function cgroupParent(identity: TestbedIdentity, driver: string, isRemovable: boolean): string {
  const lasting = `${identity.variant}_${identity.round}`;
  if (driver === 'systemd') return `wrkbench-${lasting}.slice`;
  return `/${CGROUP_FOLDER}/${isRemovable ? testbedNames(identity).base : lasting}`;
}

/** What a build is tagged with, so that a person who lists images sees whose it is. `build` counts from 1. */
export function buildTag(spec: string, service: string, build = 1): string {
  return `wrkbench-build/${word(spec)}/${word(service)}:${build === 1 ? 'latest' : `build-${build}`}`;
}

/** Lower-case letters, digits and single inner dashes: fit for a container, an image and a cgroup. */
function word(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain === '' ? 'x' : plain;
}
