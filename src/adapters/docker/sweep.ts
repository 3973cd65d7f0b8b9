import { INSTANCE_LABEL, isProvenDead, OWNER_LABEL, type OwnerWitness, RUN_LABEL } from '../../core/topology/labels.ts';
import { removeLeftoverFolders } from './cgroup-folders.ts';
import type { Engine } from './engine.ts';
import { removeContainers, removeNetwork } from './removal.ts';

/** Something of ours that the engine holds. */
interface Labelled {
  id: string;
  name: string;
  owner: string;
  run: string;
  instance: string;
}

/** Removes what owners proven dead have left; resolves to a sentence for each thing that was removed. */
export async function sweepLeftovers(engine: Engine, witness: OwnerWitness): Promise<string[]> {
  const [containers, networks] = await Promise.all([
    labelled(engine, ['container', 'ls', '--all', '--no-trunc'], '.Names'),
    labelled(engine, ['network', 'ls', '--no-trunc'], '.Name'),
  ]);
  const isDead = (thing: Labelled) => isProvenDead(thing.owner, witness);
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
  const living = new Set([...containers, ...networks].filter((thing) => !isDead(thing)).map((thing) => thing.instance));
  sentences.push(
    ...removeLeftoverFolders(living).map((base) => `Removed the empty cgroup ${base}, which nobody uses.`),
  );
  return sentences;
}

async function labelled(engine: Engine, command: string[], nameField: string): Promise<Labelled[]> {
  const labels = [OWNER_LABEL, RUN_LABEL, INSTANCE_LABEL].map((label) => `{{.Label "${label}"}}`);
  const format = ['{{.ID}}', `{{${nameField}}}`, ...labels].join('\t');
  const { stdout } = await engine.call([...command, '--filter', `label=${OWNER_LABEL}`, '--format', format]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', name = '', owner = '', run = '', instance = ''] = line.split('\t');
      return { id, name, owner, run, instance };
    });
}

function sentence(kind: string, thing: Labelled): string {
  return `Removed the ${kind} ${thing.name} of run ${thing.run}, whose owner has ended.`;
}
