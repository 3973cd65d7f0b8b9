import { describe, expect, it } from 'vitest';
import { MORE_MEMORY, memoryLimitOf } from '../../../src/core/topology/memory-limit.ts';

const MIB = 1024 ** 2;
const GIB = 1024 * MIB;

describe("a service's limit of memory", () => {
  it('is what its spec says, also where the machine has less', () => {
    expect(memoryLimitOf({ memoryBytes: 64 * MIB }, 16 * GIB)).toBe(64 * MIB);
    expect(memoryLimitOf({ memoryBytes: 32 * GIB }, 16 * GIB)).toBe(32 * GIB);
  });

  it("is 40 % of the machine's memory where its spec says nothing, in whole MiB, so that two fit beside a generator", () => {
    expect(memoryLimitOf({ memoryBytes: null }, 10 * GIB)).toBe(4 * GIB);
    expect(memoryLimitOf({ memoryBytes: null }, 16_766_509_056)).toBe(6395 * MIB);
  });

  it('is never less than an engine takes', () => {
    expect(memoryLimitOf({ memoryBytes: null }, 8 * MIB)).toBe(6 * MIB);
  });

  it('is told with the key that raises it', () => {
    expect(MORE_MEMORY).toBe(
      "Give it more (the service's `memory` in the spec, without which it gets 40 % of the machine's), or fewer connections.",
    );
  });
});
