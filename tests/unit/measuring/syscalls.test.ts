import { describe, expect, it } from 'vitest';
import { syscallFilter, syscallsIn } from '../../../src/core/measurement/syscalls.ts';

describe('which calls are counted', () => {
  it('leaves out what waits, wakes and manages memory, by the numbers of the architecture', () => {
    const x64 = syscallFilter('x64')?.split(' && ');
    expect(x64?.[0]).toBe('ret != -11');
    expect(x64).toEqual(expect.arrayContaining(['id != 202', 'id != 232', 'id != 281', 'id != 9']));
    expect(x64?.slice(-2)).toEqual(['(id != 0 || ret != 8)', '(id != 1 || ret != 8)']);
    for (const [name, id] of Object.entries({ read: 0, write: 1, fstat: 5, sendto: 44, openat: 257, clone3: 435 }))
      expect(x64, name).not.toContain(`id != ${id}`);
    const arm64 = syscallFilter('arm64')?.split(' && ');
    expect(arm64).toEqual(expect.arrayContaining(['ret != -11', 'id != 98', 'id != 22', 'id != 222']));
    expect(arm64?.slice(-2)).toEqual(['(id != 63 || ret != 8)', '(id != 64 || ret != 8)']);
    for (const [name, id] of Object.entries({ read: 63, write: 64, fstat: 80, sendto: 206, openat: 56 }))
      expect(arm64, name).not.toContain(`id != ${id}`);
  });

  it('is not known of other architectures', () => {
    expect(syscallFilter('riscv64')).toBeNull();
    expect(syscallFilter('toString')).toBeNull();
  });
});

describe('what perf counted', () => {
  it.each([
    ['a count', '404,,raw_syscalls:sys_exit,671931,100.00,,\n', 404],
    ['threads that did not run', '<not counted>,,raw_syscalls:sys_exit,0,100.00,,\n', 0],
    ['no such event', '<not supported>,,raw_syscalls:sys_exit,0,100.00,,\n', null],
    ['a warning before it', 'WARNING: a kernel of another version\n12,,raw_syscalls:sys_exit,1,100.00,,\n', 12],
    ['another event', '404,,raw_syscalls:sys_enter,671931,100.00,,\n', null],
    ['a failure', 'Problems finding threads of monitor\n', null],
    ['nothing', '', null],
  ])('%s', (_, output, count) => {
    expect(syscallsIn(output)).toBe(count);
  });
});
