import { describe, expect, it } from 'vitest';
import { MachineLacks, UsageError } from '../../../src/app/failures.ts';
import { DataBranchFailure } from '../../../src/app/ports/data-branch.ts';
import { ForgeFailure } from '../../../src/app/ports/forge.ts';
import { TemporaryFolderFailure } from '../../../src/app/ports/machine.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import { failureOf } from '../../../src/entry/failure.ts';

describe('what is said of an error', () => {
  const message = 'GET /repos/acme/api/pulls was answered with 502: Bad Gateway.';
  it.each([
    ['a call that is wrong', new UsageError(message), 2],
    ['a machine that lacks something', new MachineLacks(message), 3],
    ['a temporary folder that cannot be written', new TemporaryFolderFailure('EROFS', message), 3],
    ['a data branch that cannot be had', new DataBranchFailure(message), 3],
    ['a forge that does not answer', new ForgeFailure(message, 502), 3],
    ['a service that does not start', new TestbedError('not-ready', message), 4],
  ])('is a sentence for %s, and no stack', (_, error, exitCode) => {
    expect(failureOf(error)).toEqual({ text: message, exitCode });
  });

  it('is a stack for what nobody foresaw', () => {
    const { text, exitCode } = failureOf(new TypeError('x is not iterable'));
    expect(text).toMatch(/^This is a defect of wrkbench.*\nTypeError: x is not iterable\n {4}at /s);
    expect(exitCode).toBe(4);
  });
});
