/**
 * Where the container engine is, seen from here. What containers use is read from the kernel that runs them, and load goes
 * to their own addresses: both want to be on the engine's machine, outside of any container.
 */
export type EnginePlace =
  /** This machine, this view of it. */
  | 'here'
  /** This machine, of which this process sees only a container of its own: a container job of a workflow. */
  | 'beside'
  /** Another machine, or a virtual one: a remote context, Docker Desktop. */
  | 'elsewhere';

export interface EnginePlaceFacts {
  /** As Node.js names it. */
  platform: string;
  /** `unix:///var/run/docker.sock`, `tcp://…`, `ssh://…`: of the context in force. */
  endpoint: string;
  /** What the engine calls its machine, and what this one calls itself. */
  engineHost: string;
  ownHost: string;
  /** `Debian GNU/Linux 12 (bookworm)`, `Docker Desktop`: as the engine has it. */
  operatingSystem: string;
  /** Releases of their kernels: a socket may lead into a virtual machine, or through SSH to another one. */
  engineKernel: string;
  ownKernel: string;
  /** This process is in a container. */
  contained: boolean;
}

/** In WSL 2 it has the kernel of every distribution there, and a file system and processes of its own. */
const VIRTUAL = 'Docker Desktop';

export function enginePlace(facts: EnginePlaceFacts): EnginePlace {
  const { platform, endpoint, operatingSystem, engineHost, ownHost, engineKernel, ownKernel, contained } = facts;
  if (platform !== 'linux' || !endpoint.startsWith('unix://') || engineKernel !== ownKernel) return 'elsewhere';
  if (operatingSystem === VIRTUAL) return 'elsewhere';
  // An engine of its own inside a container has that container's name.
  return contained && engineHost !== ownHost ? 'beside' : 'here';
}

/**
 * Why nothing can be measured with an engine, wherever it is; null where it can. `securityOptions`: as `docker info` has them,
 * such as `name=rootless`.
 */
export function engineObstacle(securityOptions: readonly string[]): string | null {
  if (!securityOptions.some((option) => option.split(',').includes('name=rootless'))) return null;
  return (
    'The Docker engine is rootless: its containers are in a network of its own, which no load reaches. Use an engine that runs as ' +
    'root (docker context use default, or unset DOCKER_HOST), or run the services as processes with --runtime process.'
  );
}
