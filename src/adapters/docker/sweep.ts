import { isProvenDead, OWNER_LABEL, type OwnerWitness, RUN_LABEL, TESTBED_LABEL } from '../../core/topology/labels.ts';
import { isRunnerContainer } from '../../core/topology/names.ts';
import { removeLeftoverFolders } from './cgroup-folders.ts';
import type { Engine } from './engine.ts';
import { removeMetadataRules } from './metadata-rules.ts';
import { removeContainers, removeNetwork, removeVolumes, stopRunnerContainer } from './removal.ts';

/** Something of ours that the engine holds. */
interface Labelled {
  id: string;
  name: string;
  owner: string;
  run: string;
  round: string;
  /** Of a container: it has not ended. */
  running: boolean;
}

/**
 * Removes what owners proven dead have left; resolves to a sentence for each thing that was removed. A runner container is asked
 * to take down what it has started before it is removed: only it sees that machine, and knows what it has changed there.
 * `own`: the one that this process runs in.
 */
export async function sweepLeftovers(engine: Engine, witness: Witness, own: string | null = null): Promise<string[]> {
  let { containers, networks, volumes, isDead } = await listed(engine, witness, own);
  const abandoned = containers.filter(
    (container) => container.running && isRunnerContainer(container.name) && isDead(container),
  );
  if (abandoned.length > 0) {
    await Promise.all(abandoned.map(({ id }) => stopRunnerContainer(engine, id)));
    ({ containers, networks, volumes, isDead } = await listed(engine, witness, own));
  }
  const sentences: string[] = [];
  const dead = containers.filter(isDead);
  if (dead.length > 0) {
    await removeContainers(
      engine,
      dead.map((container) => container.id),
    );
    sentences.push(...dead.map((container) => sentence('container', container)));
  }
  for (const network of networks.filter(isDead)) {
    if (await removeNetwork(engine, network.id)) sentences.push(sentence('network', network));
  }
  const unused = volumes.filter(isDead);
  await removeVolumes(
    engine,
    unused.map(({ name }) => name),
  );
  sentences.push(...unused.map((volume) => sentence('volume', volume)));
  // The rules and cgroups of this machine are not those of an engine elsewhere.
  if (witness.elsewhere) return sentences;
  const rules = await removeMetadataRules();
  sentences.push(...rules.map((bridge) => `Removed the routing rule of ${bridge}, whose network is gone.`));
  const living = new Set([...containers, ...networks].filter((thing) => !isDead(thing)).map((thing) => thing.round));
  sentences.push(...removeLeftoverFolders(living).map((base) => `Removed the empty cgroup ${base}, which is unused.`));
  return sentences;
}

type Witness = Omit<OwnerWitness, 'mayRun'>;

interface Listed {
  containers: Labelled[];
  networks: Labelled[];
  volumes: Labelled[];
  isDead(thing: Labelled): boolean;
}

/** Containers last: of whatever a runner container has started by then, the runner container is among them. */
async function listed(engine: Engine, witness: Witness, own: string | null): Promise<Listed> {
  const [networks, volumes] = await Promise.all([
    labelled(engine, ['network', 'ls', '--no-trunc'], { id: '.ID', name: '.Name' }),
    labelled(engine, ['volume', 'ls'], { id: '.Name', name: '.Name' }),
  ]);
  const containers = await labelled(engine, ['container', 'ls', '--all', '--no-trunc'], {
    id: '.ID',
    name: '.Names',
    status: '.Status',
  });
  // One that is to go takes all that it has started with it, also where it could not be stopped.
  const isAbandoned = ({ name, owner }: Labelled) =>
    name !== own && isProvenDead(owner, { ...witness, mayRun: () => true });
  const kept = containers.filter((container) => container.running && !isAbandoned(container));
  const running = new Set(kept.map(({ name }) => name));
  const asked = { ...witness, mayRun: (container: string) => running.has(container) };
  return { containers, networks, volumes, isDead: ({ name, owner }) => name !== own && isProvenDead(owner, asked) };
}

async function labelled(
  engine: Engine,
  command: string[],
  { id: idField, name: nameField, status: statusField }: { id: string; name: string; status?: string },
): Promise<Labelled[]> {
  const labels = [OWNER_LABEL, RUN_LABEL, TESTBED_LABEL].map((label) => `{{.Label "${label}"}}`);
  const status = statusField === undefined ? '' : `{{${statusField}}}`;
  const format = [`{{${idField}}}`, `{{${nameField}}}`, ...labels, status].join('\t');
  const { stdout } = await engine.call([...command, '--filter', `label=${OWNER_LABEL}`, '--format', format]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', name = '', owner = '', run = '', round = '', said = ''] = line.split('\t');
      // `Up 3 minutes`, `Created`, `Exited (0) 2 hours ago`, `Dead`
      return { id, name, owner, run, round, running: !/^(?:Exited|Dead)/.test(said) };
    });
}

function sentence(kind: string, thing: Labelled): string {
  return `Removed the ${kind} ${thing.name} of run ${thing.run}, whose owner has ended.`;
}
