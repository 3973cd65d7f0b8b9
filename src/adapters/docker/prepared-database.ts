import { stepsFor } from '../../core/config/prepare.ts';
import type { Database } from '../../core/config/resolved.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { runPrepareSql } from '../postgres/prepared-data.ts';
import { runPrepareSteps } from '../prepare/steps.ts';
import type { Preparation } from './database-template.ts';
import { startDependencies } from './dependencies.ts';
import type { Engine } from './engine.ts';
import type { PartFrame } from './part.ts';
import { dockerPrepareHost } from './prepare-host.ts';
import { removeContainers } from './removal.ts';
import { noParts, type TestbedPlan } from './testbed-parts.ts';

/** What `prepare` makes of a database, run beside it on the networks of the testbed that asks first; null where there are no steps. */
export function preparationOf(
  engine: Engine,
  plan: TestbedPlan,
  database: Database,
  frame: PartFrame,
): Preparation | null {
  const { request, names } = plan;
  const { spec, service, artifact, specDirectory } = request;
  const steps = stepsFor(spec, service);
  if (steps.length === 0) return null;
  const own = { ...service, about: null, endpoints: null };
  return {
    key: [steps, artifact, own, spec.dependencies ?? []],
    async run({ address, role, psql }, signal) {
      const { host, port } = address;
      const placeholders = databasePlaceholders(database, { host, port, ...role });
      const access = { host, placeholders, ready: async () => undefined, passes: async () => undefined };
      const dependencies = Object.fromEntries(
        Object.entries(names.dependencies).map(([name, container]) => [name, `${container}-prepare`]),
      );
      const parts = noParts();
      try {
        const beside = { ...plan, names: { ...names, dependencies } };
        const { reached, ready } = await startDependencies(engine, beside, access, frame, parts, signal);
        await ready(signal);
        const host = dockerPrepareHost(engine, {
          ...{ request, names, imageOf: plan.imageOf, frame, reached: { access, dependencies: reached } },
          sql: (files, linked) => runPrepareSql({ address, role }, { files, directory: specDirectory, psql }, linked),
        });
        await runPrepareSteps(steps, host, signal);
      } finally {
        for (const { meter } of parts.dependencies.values()) meter.close();
        if (spec.dependencies !== undefined) await removeContainers(engine, Object.values(dependencies));
      }
    },
  };
}
