import { existsSync } from 'node:fs';
import { hostname, release } from 'node:os';
import { type EnginePlace, enginePlace } from '../../core/topology/engine-place.ts';
import type { Engine } from './engine.ts';

export interface EngineLocation {
  place: EnginePlace;
  /** Path of its socket on its own machine. */
  socket: string;
  /** `/var/lib/docker` */
  engineFolder: string;
}

/** Null where no engine answers: whoever needs one says so better. */
export async function locateEngine(
  engine: Engine,
  environment: Record<string, string | undefined>,
): Promise<EngineLocation | null> {
  try {
    const endpoint = environment.DOCKER_HOST || (await contextEndpoint(engine));
    const { stdout } = await engine.call(['info', '--format', '{{.Name}}\t{{.KernelVersion}}\t{{.DockerRootDir}}']);
    const [engineHost = '', engineKernel = '', engineFolder = '/var/lib/docker'] = stdout.trim().split('\t');
    const contained = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
    const own = { platform: process.platform, ownHost: hostname(), ownKernel: release(), contained };
    // Through a socket that is mounted here, or over a network: on its own machine it lies where it always does.
    return {
      place: enginePlace({ ...own, endpoint, engineHost, engineKernel }),
      socket: '/var/run/docker.sock',
      engineFolder,
    };
  } catch {
    return null;
  }
}

async function contextEndpoint(engine: Engine): Promise<string> {
  const { stdout } = await engine.call(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
  return stdout.trim();
}
