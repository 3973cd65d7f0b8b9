import { runCommand } from '../../../src/adapters/process/command.ts';

/** Mounts a disk of 1 MiB; false where this user may not. */
export async function mountSmallDisk(path: string): Promise<boolean> {
  return (await asRoot('mount', '-t', 'tmpfs', '-o', 'size=1m,mode=0777', 'wrkbench-test', path)).failure === null;
}

export async function remountReadOnly(path: string): Promise<void> {
  const { failure } = await asRoot('mount', '-o', 'remount,ro', path);
  if (failure !== null) throw new Error(failure);
}

export async function unmount(path: string): Promise<void> {
  await asRoot('umount', path);
}

function asRoot(program: string, ...args: string[]) {
  return process.getuid?.() === 0 ? runCommand(program, args) : runCommand('sudo', ['-n', program, ...args]);
}
