export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A command as root has to be called: as it is, or through a sudo that asks for no password and fails where it would. */
export function asRoot(command: readonly [string, ...string[]], root = isRoot()): [string, ...string[]] {
  return root ? [...command] : ['sudo', '-n', ...command];
}
