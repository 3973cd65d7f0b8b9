import { TestbedError, type TestbedRuntime } from '../../app/ports/testbed.ts';
import { artifactsOf } from '../../core/config/builds.ts';
import { cacheNamespaceOf } from '../../core/topology/build-cache.ts';
import { OWNER_LABEL, RUN_LABEL, runnerContainerOf, runnerContainerOwner } from '../../core/topology/labels.ts';
import { cgroupParent, testbedNames } from '../../core/topology/names.ts';
import { RUNNER_CONTAINER_VARIABLES } from '../../core/topology/runner-container.ts';
import { ownIdentity, readWitness } from '../process/owner.ts';
import { sweepTemporaryFolders } from '../process/temporary-folder.ts';
import { runSecrets } from '../tls/run-certificate.ts';
import { bringUp } from './bring-up.ts';
import { databaseTemplates } from './database-template.ts';
import { createEngine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { type BuiltImages, imageIdOf, removeUnnamed } from './images.ts';
import type { EngineLimits } from './part.ts';
import { locateEngine, requireUsable } from './place.ts';
import { prepareImages, type SupportImages } from './preparation.ts';
import { sweepLeftovers } from './sweep.ts';
import { dismantle, dockerTestbed } from './testbed.ts';
import { noParts } from './testbed-parts.ts';

export interface DockerRuntimeOptions {
  /** Of this process; only PATH, HOME and DOCKER_* reach the engine's command. */
  environment: Record<string, string | undefined>;
  /** Most open files that a container can be given, where that is known; what is more is not asked for. */
  mostOpenFiles?(): number | null;
  /** Told once what a protection of services lacks; absent where no service is started. */
  warn?(text: string): void;
}

/** Testbeds of containers, through the `docker` command. Every call may reject with `TestbedError` 'engine-unavailable'. */
export function dockerRuntime(options: DockerRuntimeOptions): TestbedRuntime {
  const engine = createEngine(options.environment);
  const support: SupportImages = new Map();
  const built: BuiltImages = new Set();
  const templates = databaseTemplates(engine);
  const cacheNamespace = cacheNamespaceOf(options.environment);
  const limits: EngineLimits = { openFilesRefused: false, mostOpenFiles: options.mostOpenFiles?.() ?? null };
  const warned = new Set<string>();
  const isElsewhere = async () => {
    const location = await locateEngine(engine, options.environment);
    return location === null || location.place === 'elsewhere';
  };
  const refuseUnusable = async () => {
    const location = await locateEngine(engine, options.environment);
    if (location !== null) requireUsable(location);
  };
  // Where no engine answers, asking it once more says why.
  const cgroupDriver = async () =>
    (await locateEngine(engine, options.environment))?.cgroupDriver ??
    (await engine.call(['info', '--format', '{{.CgroupDriver}}'])).stdout.trim();
  // Inside of a runner container its container owns all that is started.
  const runnerContainer = runnerContainerOf(options.environment[RUNNER_CONTAINER_VARIABLES.owner] ?? '');
  const owner = async () =>
    runnerContainer === null ? ownIdentity(await isElsewhere()) : runnerContainerOwner(runnerContainer);

  return {
    kind: 'docker',
    async version() {
      await refuseUnusable();
      const { stdout } = await engine.call(['version', '--format', '{{.Server.Version}}']);
      return stdout.trim();
    },
    async prepare(request, signal) {
      await refuseUnusable();
      return await prepareImages(engine, request, { support, built, cacheNamespace }, signal);
    },
    async start(request, signal) {
      signal.throwIfAborted();
      await refuseUnusable();
      const { runId, variant, round } = request;
      const identity = { runId, variant, round, service: request.service.name };
      const names = testbedNames(
        identity,
        (request.spec.dependencies ?? []).map(({ name }) => name),
      );
      const plan = {
        request,
        names,
        cgroupParent: cgroupParent(identity, await cgroupDriver(), process.getuid?.() === 0),
        limits,
        labels: { [RUN_LABEL]: runId, [OWNER_LABEL]: await owner() },
        imageOf: (reference: string) => support.get(reference) ?? reference,
        templates,
        warn: (text: string) => {
          // Every testbed lacks the same, whatever its bridge is called.
          const kind = text.replaceAll(/wrkb-[0-9a-f]{10}/g, '');
          if (!warned.has(kind)) options.warn?.(text);
          warned.add(kind);
        },
      };
      const parts = noParts();
      try {
        await bringUp(engine, plan, parts, signal);
        signal.throwIfAborted();
        return dockerTestbed(engine, names, request, parts);
      } catch (error) {
        await dismantle(engine, names, parts);
        signal.throwIfAborted();
        throw error instanceof EngineFailure ? new TestbedError('start-failed', error.message) : error;
      }
    },
    async discard(prepared) {
      for (const artifact of prepared.flatMap(artifactsOf)) await removeUnnamed(engine, imageIdOf(artifact), built);
    },
    release: (runId) => templates.release(runId),
    secrets: runSecrets,
    async sweep() {
      const removed = await sweepLeftovers(engine, readWitness(await isElsewhere()), runnerContainer);
      return [...removed, ...(await sweepTemporaryFolders())];
    },
  };
}
