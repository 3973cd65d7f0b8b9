// needs: nothing
import { expect, it } from 'vitest';
import { asRoot } from '../../../src/adapters/process/root-command.ts';

it('a command of root is called as it is by root, and by anybody else through a sudo that never asks', () => {
  expect(asRoot(['ip', 'rule', 'show'], true)).toEqual(['ip', 'rule', 'show']);
  expect(asRoot(['ip', 'rule', 'show'], false)).toEqual(['sudo', '-n', 'ip', 'rule', 'show']);
});
