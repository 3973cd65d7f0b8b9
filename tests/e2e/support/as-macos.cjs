// Loaded before the command: this machine then is, to it, one as macOS has it, without /proc, /sys and /dev/shm.
const fs = require('node:fs');
const promises = require('node:fs/promises');

Object.defineProperty(process, 'platform', { value: 'darwin' });

const isHidden = (path) => typeof path === 'string' && /^\/(?:proc|sys|dev\/shm)(?:\/|$)/.test(path);
const missing = (path, call) =>
  Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${path}'`), { code: 'ENOENT' });
const CALLS = ['access', 'lstat', 'mkdir', 'mkdtemp', 'open', 'readFile', 'readdir', 'readlink', 'stat', 'statfs'];

for (const call of CALLS) {
  const [sync, real] = [fs[`${call}Sync`], promises[call]];
  fs[`${call}Sync`] = (path, ...rest) => {
    if (isHidden(path)) throw missing(path, call);
    return sync(path, ...rest);
  };
  promises[call] = async (path, ...rest) => {
    if (isHidden(path)) throw missing(path, call);
    return await real(path, ...rest);
  };
}
const { existsSync } = fs;
fs.existsSync = (path) => !isHidden(path) && existsSync(path);
