import { DEFAULT_MEMORY_SHARE, LEAST_MEMORY_BYTES } from '../config/bounds.ts';
import type { Service } from '../config/resolved.ts';
import type { TestbedPart } from './parts.ts';

const MEBIBYTE = 1024 ** 2;

/** What a service may have: what its spec says, else such a share of the machine that a leak ends the service alone. */
export function memoryLimitOf({ memoryBytes }: Pick<Service, 'memoryBytes'>, machineBytes: number): number {
  const share = Math.floor((machineBytes * DEFAULT_MEMORY_SHARE) / MEBIBYTE) * MEBIBYTE;
  return memoryBytes ?? Math.max(LEAST_MEMORY_BYTES, share);
}

/** What somebody does about a part that has reached its limit. */
export function moreMemory(part: TestbedPart): string {
  switch (part) {
    case 'service':
      return MORE_MEMORY;
    case 'database':
    case 'pooler':
    case 'gateway':
      return 'Give the machine more memory, or this part less to do (`settings` of the database).';
    default:
      return `Give it more (the dependency's \`memory\` in the spec, without which it gets ${DEFAULT_MEMORY_SHARE * 100} % of the machine's), or less to keep.`;
  }
}

/** What somebody does about a service that has reached its limit. */
export const MORE_MEMORY = `Give it more (the service's \`memory\` in the spec, without which it gets ${DEFAULT_MEMORY_SHARE * 100} % of the machine's), or fewer connections.`;
