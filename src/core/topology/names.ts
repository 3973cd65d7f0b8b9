import type { Variant } from '../plan/case.ts';

/** What the parts of one instance are called. All names are known before anything exists, so that all can be removed. */
export interface InstanceNames {
  /** `wrkbench-<run>-<service>-<variant>-<instance>`: what every other name begins with. */
  base: string;
  applicationNetwork: string;
  databaseNetwork: string;
  service: string;
  database: string;
  pooler: string;
  gateway: string;
}

export interface InstanceIdentity {
  runId: string;
  service: string;
  variant: Variant;
  instance: number;
}

export function instanceNames(identity: InstanceIdentity): InstanceNames {
  const { runId, service, variant, instance } = identity;
  const base = ['wrkbench', word(runId), word(service), variant, String(instance)].join('-');
  return {
    base,
    applicationNetwork: `${base}-app`,
    databaseNetwork: `${base}-db`,
    service: `${base}-service`,
    database: `${base}-database`,
    pooler: `${base}-pooler`,
    gateway: `${base}-gateway`,
  };
}

/** `wrkbench-companion-3f2c1ab9`; see `core/topology/companion.ts`. */
export function companionName(suffix: string): string {
  return `${COMPANION_PREFIX}${suffix}`;
}

export function isCompanion(name: string): boolean {
  return name.startsWith(COMPANION_PREFIX);
}

const COMPANION_PREFIX = 'wrkbench-companion-';

/** Folder under each cgroup hierarchy that holds ours, with the cgroupfs driver. */
export const CGROUP_FOLDER = 'wrkbench';

/**
 * The parent cgroup of one instance, which gives each variant the same weight.
 *
 * With the cgroupfs driver a path, named as the instance is and removed with it. With systemd's a slice, where a dash
 * opens a level (`wrkbench-a.slice` lies in `wrkbench.slice`). systemd keeps a slice after its last container: its name
 * leaves out the run, so that only as many stay until the next boot as a run has instances.
 */
export function cgroupParent(identity: InstanceIdentity, driver: string): string {
  if (driver !== 'systemd') return `/${CGROUP_FOLDER}/${instanceNames(identity).base}`;
  return `wrkbench-${identity.variant}_${identity.instance}.slice`;
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
