import { existsSync } from 'node:fs';
import { hostname, release } from 'node:os';
import { TestbedError } from '../../app/ports/testbed.ts';
import { type EnginePlace, engineObstacle, enginePlace } from '../../core/topology/engine-place.ts';
import { type Engine, engineEnvironment } from './engine.ts';

export interface EngineLocation {
  place: EnginePlace;
  /** Path of its socket on its own machine. */
  socket: string;
  /** `/var/lib/docker` */
  engineFolder: string;
  /** `cgroupfs` or `systemd` */
  cgroupDriver: string;
  /** Why nothing can be measured with it; null where it can. */
  obstacle: string | null;
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

/** Throws `TestbedError` 'engine-unavailable' where nothing can be measured with it. */
export function requireUsable({ obstacle }: EngineLocation): void {
  if (obstacle !== null) throw new TestbedError('engine-unavailable', obstacle);
}

/** What `docker info` prints of an engine's security options. */
export const SECURITY_OPTIONS = '{{json .SecurityOptions}}';

/** The same, read; none where it printed none. */
export function securityOptionsIn(printed: string): string[] {
  try {
    return JSON.parse(printed) ?? [];
  } catch {
    return [];
  }
}

const FIELDS = ['.Name', '.KernelVersion', '.DockerRootDir', '.CgroupDriver', '.OperatingSystem'];
const ASKED = [...FIELDS.map((field) => `{{${field}}}`), SECURITY_OPTIONS].join('\t');

async function askedLocation(engine: Engine, environment: Record<string, string | undefined>): Promise<EngineLocation> {
  const [endpoint, { stdout }] = await Promise.all([
    environment.DOCKER_HOST || contextEndpoint(engine),
    engine.call(['info', '--format', ASKED]),
  ]);
  const [engineHost = '', engineKernel = '', engineFolder = '', cgroupDriver = '', operatingSystem = '', options = ''] =
    stdout.trim().split('\t');
  const contained = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  const own = { platform: process.platform, ownHost: hostname(), ownKernel: release(), contained };
  // Through a socket that is mounted here, or over a network: on its own machine it lies where it always does.
  return {
    place: enginePlace({ ...own, endpoint, operatingSystem, engineHost, engineKernel }),
    socket: '/var/run/docker.sock',
    engineFolder: engineFolder || '/var/lib/docker',
    cgroupDriver,
    obstacle: engineObstacle(securityOptionsIn(options)),
  };
}

async function contextEndpoint(engine: Engine): Promise<string> {
  const { stdout } = await engine.call(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
  return stdout.trim();
}
