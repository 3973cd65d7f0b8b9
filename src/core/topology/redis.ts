import type { Dependency } from '../config/dependency.ts';

const IMAGES = new Set(['redis', 'redis-stack', 'redis-stack-server', 'valkey', 'keydb', 'dragonfly']);
const PROGRAMS = new Set(['redis-server', 'valkey-server', 'keydb-server', 'dragonfly']);

/**
 * Whether a dependency is Redis or one of those that speak as it does, by the name of its image or program. While Redis reads its data it
 * takes connections and refuses every command, so that an open port does not show that it is up.
 */
export function speaksRedis({ image, command }: Pick<Dependency, 'image' | 'command'>): boolean {
  const program = command?.[0]?.split('/').at(-1) ?? '';
  if (PROGRAMS.has(program)) return true;
  if (image?.kind !== 'image') return false;
  const [name = ''] = image.reference.split('@');
  return IMAGES.has(name.split('/').at(-1)!.split(':')[0]!);
}
