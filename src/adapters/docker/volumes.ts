import type { Engine } from './engine.ts';
import type { PartFrame } from './part.ts';

/** A volume of the engine, labelled as all that a run makes. */
export async function createVolume(engine: Engine, name: string, { labels }: Pick<PartFrame, 'labels'>): Promise<void> {
  const labelled = Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
  await engine.call(['volume', 'create', ...labelled, name]);
}
