import { execFileSync } from 'node:child_process';

/** Images of both sides: the same server, each with an environment and an id of its own. */
export interface SideImages {
  baseline: string;
  candidate: string;
  remove(): void;
}

/** `seed` tells those of one comparison from those of another. */
export function sideImages(
  image: string,
  seed: number,
  environments: Record<'baseline' | 'candidate', Record<string, string>>,
): SideImages {
  const made: string[] = [];
  const remove = () => {
    for (const name of made) docker(['rmi', '--force', name]);
  };
  const make = (side: 'baseline' | 'candidate') => {
    const name = `wrkbench-live/${side}:${seed}`;
    const settings = Object.entries(environments[side]).map(([key, value]) => `ENV ${key}=${value}\n`);
    // Without a label of its own a null comparison would have one image twice.
    docker(
      ['build', '--quiet', '--tag', name, '-'],
      `FROM ${image}\nLABEL wrkbench.live=${side}-${seed}\n${settings.join('')}`,
    );
    made.push(name);
    return name;
  };
  try {
    return { baseline: make('baseline'), candidate: make('candidate'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function docker(args: string[], input = ''): void {
  execFileSync('docker', args, {
    input,
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}
