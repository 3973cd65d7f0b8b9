import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCpuList, parseCpuList } from '../../../src/core/config/cpu-list.ts';

describe('a list of CPUs in the kernel’s notation', () => {
  it.each([
    ['0', [0]],
    ['0-3', [0, 1, 2, 3]],
    ['0,2-3', [0, 2, 3]],
    [' 4-5 , 1\n', [1, 4, 5]],
    ['1,1-2', [1, 2]],
  ])('%j is %j', (text, cpus) => expect(parseCpuList(text)).toEqual(cpus));

  it.each(['', 'auto', '3-1', '1-', '-1', '0;1', '0x1', '1.5', '0-1-2', '123456'])('%j is none', (text) => {
    expect(parseCpuList(text)).toBeNull();
  });

  it('is written with ranges, ascending, each once', () => {
    expect(formatCpuList([3, 0, 1, 2, 7, 7, 9])).toBe('0-3,7,9');
    expect(formatCpuList([])).toBe('');
  });

  it('reads what it writes', () => {
    const sets = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(sets, (cpus) => {
        expect(parseCpuList(formatCpuList(cpus))).toEqual([...cpus].sort((a, b) => a - b));
      }),
    );
  });

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.string(), (text) => parseCpuList(text) === null || /^[\d,\s-]+$/.test(text)));
  });
});
