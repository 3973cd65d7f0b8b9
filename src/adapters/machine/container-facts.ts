import type { ContainerFacts } from '../../app/ports/containers.ts';
import type { ImageFact } from '../../core/doctor/images.ts';
import { engineEnvironment } from '../docker/engine.ts';
import { plainSentence } from '../docker/engine-failure.ts';
import { runCommand } from '../process/command.ts';

/** A registry that cannot be reached may never answer. */
const REGISTRY_SECONDS = 15;
const ENGINE_SECONDS = 5;

/** Through the `docker` command; `environment` is that of this process, as a rule. */
export function containerFacts(environment: Record<string, string | undefined>): ContainerFacts {
  const env = engineEnvironment(environment);
  const docker = (args: string[], timeoutSeconds: number) => runCommand('docker', args, { env, timeoutSeconds });
  const image = async (reference: string): Promise<ImageFact> => {
    // A name that looks like an option is one to the command.
    const here = await docker(['image', 'inspect', '--format', '{{.Id}}', '--', reference], ENGINE_SECONDS);
    if (here.failure === null) return { reference, state: 'here' };
    const { failure, stderr, timedOut } = await docker(['manifest', 'inspect', '--', reference], REGISTRY_SECONDS);
    if (failure === null) return { reference, state: 'offered' };
    const said = timedOut ? `its registry did not answer within ${REGISTRY_SECONDS} s` : plainSentence(stderr);
    return { reference, state: 'refused', said: said.replace(/\.$/, '') };
  };
  return {
    images: (references) => Promise.all(references.map(image)),
    async plugin(name) {
      const { failure, stdout } = await docker([name, 'version'], ENGINE_SECONDS);
      if (failure !== null) return null;
      return /\bv?(\d+\.\d+[\w.-]*)/.exec(stdout)?.[1] ?? (stdout.trim().split('\n')[0] || null);
    },
  };
}
