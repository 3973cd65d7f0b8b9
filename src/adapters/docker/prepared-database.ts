import type { Dependency } from '../../core/config/dependency.ts';
import type { Database } from '../../core/config/resolved.ts';
import { stepsFor } from '../../core/config/service-steps.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { runPrepareSql } from '../postgres/prepared-data.ts';
import { runPrepareSteps } from '../prepare/steps.ts';
import type { DatabaseAccess } from './database-access.ts';
import type { Preparation, PreparedDatabase } from './database-template.ts';
import { startDependencies } from './dependencies.ts';
import { type DependencyData, dependencyVolumes, emptyDependencyData } from './dependency-data.ts';
import type { Engine } from './engine.ts';
import type { PartFrame } from './part.ts';
import { dockerPrepareHost } from './prepare-host.ts';
import { removeContainers, removeVolumes, stopContainer } from './removal.ts';
import { buildFolderOf, imageKeyOf } from './support-images.ts';
import { noParts, type TestbedPlan } from './testbed-parts.ts';

/** What `prepare` makes of a database, run beside it on the networks of the testbed that asks first; null where there are no steps. */
export function preparationOf(engine: Engine, plan: TestbedPlan, frame: PartFrame): Preparation | null {
  const { request, names } = plan;
  const { spec, service, artifact, specDirectory, onActivity } = request;
  const steps = stepsFor(spec, service);
  if (steps.length === 0) return null;
  const own = { ...service, about: null, endpoints: null };
  const { database, dependencies: beside = [] } = spec;
  return {
    key: [steps, artifact, own, beside],
    onActivity,
    async run(prepared, volume, signal) {
      const containers = Object.fromEntries(
        Object.entries(names.dependencies).map(([name, container]) => [name, `${container}-prepare`]),
      );
      const parts = noParts();
      const access = prepared === null ? null : accessTo(prepared, database!);
      let data: DependencyData = {};
      let isKept = false;
      try {
        const imageOf = (each: Dependency) => plan.imageOf(imageKeyOf(each, buildFolderOf(request)));
        data = await emptyDependencyData(engine, beside, imageOf, volume, frame);
        const ofPreparing = { ...plan, names: { ...names, dependencies: containers } };
        const way = { way: 'kept', of: data } as const;
        const { reached, ready } = await startDependencies(engine, ofPreparing, access, frame, parts, signal, way);
        await ready(signal);
        const host = dockerPrepareHost(engine, {
          ...{ request, names, imageOf: plan.imageOf, frame, reached: { access, dependencies: reached } },
          sql: (files, linked) =>
            runPrepareSql(prepared!, { files, directory: specDirectory, psql: prepared!.psql }, linked),
        });
        const values = await runPrepareSteps(steps, host, signal, onActivity);
        onActivity?.({ kind: 'snapshot' });
        // Each in order: what it has in memory alone is written then.
        for (const name of Object.keys(data)) await stopContainer(engine, containers[name]!, STOP_SECONDS);
        signal.throwIfAborted();
        isKept = true;
        return { dependencies: data, values };
      } finally {
        for (const { meter } of parts.dependencies.values()) meter.close();
        if (beside.length > 0) await removeContainers(engine, Object.values(containers));
        if (!isKept) await removeVolumes(engine, dependencyVolumes(data));
      }
    },
  };
}

const STOP_SECONDS = 60;

/** As the service reaches the database that is set up: without a pooler. */
function accessTo({ address, role }: PreparedDatabase, database: Database): DatabaseAccess {
  const { host, port } = address;
  const nothing = async () => undefined;
  return {
    host,
    placeholders: databasePlaceholders(database, { host, port, ...role }),
    ready: nothing,
    passes: nothing,
  };
}
