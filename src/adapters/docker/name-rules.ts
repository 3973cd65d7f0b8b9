import { readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolvConfForContainers } from '../../core/topology/name-servers.ts';
import { runCommand } from '../process/command.ts';
import type { ContainerState } from './containers.ts';

/**
 * Those of the machine itself first, where /etc/resolv.conf only names a stub that no container reaches. Process 1 is the machine's
 * in a runner container as well, whose own /run has none of that and whose /etc/resolv.conf is a copy of the machine's.
 */
const RESOLVER_FILES = [
  '/proc/1/root/run/systemd/resolve/resolv.conf',
  '/run/systemd/resolve/resolv.conf',
  '/etc/resolv.conf',
];

/**
 * In networks that are not its default one the engine answers names by NAT rules inside each container, and for their sake
 * the kernel tracks every packet of it: a fast server gave 78.9k req/s with them and 83.2k without. They are taken
 * out, and the container asks the machine's own name servers instead; `--add-host` names what the testbed has.
 *
 * Needs root, `nsenter` and a name server that is not the machine itself; else the rules stay, and names work as the engine has
 * them. `network` was read while the process was known to be the container's: where it has ended and its number is another
 * one's by now, that one's rules stay. Never rejects.
 */
export async function withoutNameRules({ pid, resolvConfPath }: ContainerState, network: string): Promise<void> {
  if (network === networkOf(process.pid)) return;
  const texts = RESOLVER_FILES.map((path) => readFile(path, 'utf8').catch(() => null));
  const servers = resolvConfForContainers(await Promise.all(texts));
  if (servers === null) return;
  const flush = '[ "$(readlink /proc/self/ns/net)" = "$1" ] && iptables -t nat -F && iptables -t nat -X';
  const flushed = await runCommand('nsenter', [`--net=/proc/${pid}/ns/net`, '--', 'sh', '-c', flush, 'sh', network], {
    timeoutSeconds: 5,
  });
  if (flushed.failure !== null) return;
  await writeFile(resolvConfPath, servers).catch(() => undefined);
}

/** `net:[4026532008]`, the same for all processes in it. */
export function networkOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
