import { TestbedError } from '../../app/ports/testbed.ts';
import { ended } from '../../core/format/sentence.ts';

/** The engine answered, and said no. */
export class EngineFailure extends Error {
  override name = 'EngineFailure';
  /** Both streams of the command. */
  readonly output: string;
  constructor(args: string[], said: string, output: string) {
    super(`docker ${args.slice(0, 2).join(' ')}: ${plainSentence(said)}`);
    this.output = output;
  }
}

/** What the engine said, as one sentence without the command's own beginnings and ends. */
export function plainSentence(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !CHATTER.test(line));
  const reason = lines.findLast((line) => /response from daemon: /.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
  const text = reason.replace(/^(docker: )?Error response from daemon: /, '').replace(/^(ERROR|Error|error): /, '');
  return ended(text);
}

const CHATTER = /^(DEPRECATED:|WARNING:|Install the buildx|See 'docker|Run 'docker|https:\/\/docs\.docker)/;

/** Whether it says that this user may not use the engine's socket; an SSH server that lets nobody in speaks of permission as well. */
export function isForbidden(said: string): boolean {
  return /permission denied while trying to connect|dial unix .*: permission denied/i.test(said);
}

/** Null where the engine did answer. `missing`: there is no `docker` command at all. */
export function unavailability(said: string, missing: boolean, host: string | null): TestbedError | null {
  const where = host === null ? '' : ` at DOCKER_HOST=${host}`;
  if (missing) {
    return unavailable(
      'There is no docker command on this machine. Install an engine (https://docs.docker.com/engine/install/, on Debian and ' +
        'Ubuntu: apt-get install docker.io), or run the services as processes with --runtime process.',
    );
  }
  if (isForbidden(said)) {
    return unavailable(
      `The Docker engine${where} may not be used by this user. Add the user to its group (sudo usermod -aG docker $USER, ` +
        'then log in again), or run as root.',
    );
  }
  const down =
    /cannot connect to the docker daemon|failed to connect to the docker api|error during connect|is the docker daemon running|unable to resolve docker endpoint|failed to initialize|unable to parse docker host/i;
  if (/response from daemon/.test(said) || !down.test(said)) return null;
  const next =
    host === null
      ? 'Start it (sudo systemctl start docker, or sudo dockerd), or run the services as processes with --runtime process.'
      : 'Start it, or correct or unset DOCKER_HOST.';
  return unavailable(`No Docker engine answers${where} (${plainSentence(said).replace(/\.$/, '')}). ${next}`);
}

function unavailable(message: string): TestbedError {
  return new TestbedError('engine-unavailable', message);
}
