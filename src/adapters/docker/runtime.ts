import { StageError, type StageRuntime } from '../../app/ports/stage.ts';
import { artifactsOf } from '../../core/topology/builds.ts';
import { COMPANION_VARIABLES } from '../../core/topology/companion.ts';
import { companionOf, companionOwner, OWNER_LABEL, RUN_LABEL } from '../../core/topology/labels.ts';
import { cgroupParent, instanceNames } from '../../core/topology/names.ts';
import { ownIdentity, readWitness } from '../process/owner.ts';
import { sweepTemporaryFolders } from '../process/temporary-folder.ts';
import { createEngine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { type BuiltImages, imageIdOf, removeUnnamed } from './images.ts';
import { bringUp, noParts } from './instance.ts';
import type { EngineLimits } from './part.ts';
import { type EngineLocation, locateEngine } from './place.ts';
import { prepareImages, type SupportImages } from './preparation.ts';
import { dismantle, dockerStage } from './stage.ts';
import { sweepLeftovers } from './sweep.ts';

export interface DockerRuntimeOptions {
  /** Of this process; only PATH, HOME and DOCKER_* reach the engine's command. */
  environment: Record<string, string | undefined>;
}

/** Stages of containers, through the `docker` command. Every call may reject with `StageError` 'engine-unavailable'. */
export function dockerRuntime(options: DockerRuntimeOptions): StageRuntime {
  const engine = createEngine(options.environment);
  const support: SupportImages = new Map();
  const built: BuiltImages = new Set();
  const limits: EngineLimits = { openFilesRefused: false };
  let cgroupDriver: string | null = null;
  let location: EngineLocation | null = null;
  const isElsewhere = async () => {
    location ??= await locateEngine(engine, options.environment);
    return location === null || location.place === 'elsewhere';
  };
  // Inside of a companion its container owns all that is started.
  const companion = companionOf(options.environment[COMPANION_VARIABLES.owner] ?? '');
  const owner = async () => (companion === null ? ownIdentity(await isElsewhere()) : companionOwner(companion));

  return {
    kind: 'docker',
    async version() {
      const { stdout } = await engine.call(['version', '--format', '{{.Server.Version}}']);
      return stdout.trim();
    },
    async prepare(request, signal) {
      return await prepareImages(engine, request, { support, built }, signal);
    },
    async start(request, signal) {
      signal.throwIfAborted();
      const { runId, variant, instance } = request;
      const identity = { runId, variant, instance, service: request.service.name };
      const names = instanceNames(identity);
      cgroupDriver ??= (await engine.call(['info', '--format', '{{.CgroupDriver}}'])).stdout.trim();
      const plan = {
        request,
        names,
        cgroupParent: cgroupParent(identity, cgroupDriver),
        limits,
        labels: { [RUN_LABEL]: runId, [OWNER_LABEL]: await owner() },
        imageOf: (reference: string) => support.get(reference) ?? reference,
      };
      const parts = noParts();
      try {
        await bringUp(engine, plan, parts, signal);
        signal.throwIfAborted();
        return dockerStage(engine, names, request, parts);
      } catch (error) {
        await dismantle(engine, names, parts);
        signal.throwIfAborted();
        throw error instanceof EngineFailure ? new StageError('start-failed', error.message) : error;
      }
    },
    async discard(prepared) {
      for (const artifact of prepared.flatMap(artifactsOf)) await removeUnnamed(engine, imageIdOf(artifact), built);
    },
    async sweep() {
      const removed = await sweepLeftovers(engine, readWitness(await isElsewhere()), companion);
      return [...removed, ...(await sweepTemporaryFolders())];
    },
  };
}
