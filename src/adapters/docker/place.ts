import { existsSync } from 'node:fs';
import { hostname, release } from 'node:os';
import { type EnginePlace, enginePlace } from '../../core/topology/engine-place.ts';
import { type Engine, engineEnvironment } from './engine.ts';

export interface EngineLocation {
  place: EnginePlace;
  /** Path of its socket on its own machine. */
  socket: string;
  /** `/var/lib/docker` */
  engineFolder: string;
  /** `cgroupfs` or `systemd` */
  cgroupDriver: string;
}

/** By what the `docker` command is told: an engine does not move while this process runs, and each question takes 40 ms. */
const located = new Map<string, EngineLocation>();

/** Null where no engine answers: whoever needs one says so better. */
export async function locateEngine(
  engine: Engine,
  environment: Record<string, string | undefined>,
): Promise<EngineLocation | null> {
  const key = JSON.stringify(engineEnvironment(environment));
  const known = located.get(key);
  if (known !== undefined) return known;
  try {
    const location = await askedLocation(engine, environment);
    located.set(key, location);
    return location;
  } catch {
    return null;
  }
}

const ASKED = ['.Name', '.KernelVersion', '.DockerRootDir', '.CgroupDriver'].map((field) => `{{${field}}}`).join('\t');

async function askedLocation(engine: Engine, environment: Record<string, string | undefined>): Promise<EngineLocation> {
  const [endpoint, { stdout }] = await Promise.all([
    environment.DOCKER_HOST || contextEndpoint(engine),
    engine.call(['info', '--format', ASKED]),
  ]);
  const [engineHost = '', engineKernel = '', engineFolder = '/var/lib/docker', cgroupDriver = ''] = stdout
    .trim()
    .split('\t');
  const contained = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  const own = { platform: process.platform, ownHost: hostname(), ownKernel: release(), contained };
  // Through a socket that is mounted here, or over a network: on its own machine it lies where it always does.
  return {
    place: enginePlace({ ...own, endpoint, engineHost, engineKernel }),
    socket: '/var/run/docker.sock',
    engineFolder,
    cgroupDriver,
  };
}

async function contextEndpoint(engine: Engine): Promise<string> {
  const { stdout } = await engine.call(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
  return stdout.trim();
}
