import { type ChildProcess, execFileSync, spawn } from 'node:child_process';

/** Where clouds have their metadata service, and an address that stands for the rest of the world. */
export const METADATA = '169.254.169.254';
export const ELSEWHERE = '198.51.100.2';

const NAMESPACE = 'wrkbench-outside';
const DEVICE = 'wrkb-outside';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

/** Another machine, as this one sees it: a network namespace behind a device, with a server at both addresses. */
export async function startOutside(): Promise<{ stop(): void }> {
  removeOutside();
  ip('netns', 'add', NAMESPACE);
  ip('link', 'add', DEVICE, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', NAMESPACE);
  for (const address of ['169.254.169.253/30', '198.51.100.1/30']) ip('addr', 'add', address, 'dev', DEVICE);
  for (const address of [METADATA, ELSEWHERE]) ip('-n', NAMESPACE, 'addr', 'add', `${address}/30`, 'dev', 'eth0');
  ip('link', 'set', DEVICE, 'up');
  ip('-n', NAMESPACE, 'link', 'set', 'eth0', 'up');
  ip('-n', NAMESPACE, 'route', 'add', 'default', 'via', '198.51.100.1');
  const server =
    "require('http').createServer((_, answer) => answer.end('outside')).listen(80, () => console.log('up'))";
  const child = spawn('ip', ['netns', 'exec', NAMESPACE, process.execPath, '-e', server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await up(child);
  return {
    stop() {
      child.kill('SIGKILL');
      removeOutside();
    },
  };
}

function up(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout!.once('data', () => resolve());
    child.once('exit', (status) => reject(new Error(`The server outside ended with status ${status}.`)));
  });
}

/** The device goes with its peer. */
function removeOutside(): void {
  for (const what of [
    ['link', 'del', DEVICE],
    ['netns', 'del', NAMESPACE],
  ]) {
    try {
      ip(...what);
    } catch {
      // There is none.
    }
  }
}
