import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type CommandResult, runCommand } from '../process/command.ts';
import { asRoot } from '../process/root-command.ts';

/** Where clouds hand a machine its own credentials, over HTTP, to whoever asks from it. */
export const METADATA_ADDRESS = '169.254.169.254';
const BRIDGE = /^wrkb-[0-9a-f]{10}$/;
const SECONDS = 5;

/** The device of a network of ours, by which rules know it; the kernel allows 15 characters. */
export function bridgeOf(network: string): string {
  return `wrkb-${createHash('sha256').update(network).digest('hex').slice(0, 10)}`;
}

/**
 * Keeps what is on a bridge from the metadata service, by a routing rule of the machine: before any container is on it, and out
 * of reach of all that are. TCP alone, since on Google Cloud the same address answers name queries. Resolves to null
 * where the rule holds, which takes root, or a sudo without a password, and the bridge on this machine; else to what is in its way.
 */
export async function keepFromMetadata(bridge: string): Promise<string | null> {
  if (!isDevice(bridge)) {
    return `the bridge ${bridge} is not among the network devices that this process sees, as with an engine in a network namespace of its own`;
  }
  const { failure, found, timedOut, stderr } = await changeRule('add', bridge);
  if (failure === null) return null;
  if (!found) return 'the command for it was not found: ip, of iproute2, and sudo for who is not root';
  const said = stderr.trim().split('\n').at(-1)?.replace(/\.$/, '') || failure;
  return timedOut ? `ip did not end within ${SECONDS} s` : said;
}

/** Removes our rules of bridges that are gone, which `among` names; resolves to those. Never rejects. */
export async function removeMetadataRules(among: (bridge: string) => boolean = () => true): Promise<string[]> {
  const removed: string[] = [];
  for (const bridge of await ruledBridges()) {
    if (among(bridge) && !isDevice(bridge) && (await changeRule('del', bridge)).failure === null) removed.push(bridge);
  }
  return removed;
}

async function changeRule(verb: 'add' | 'del', bridge: string): Promise<CommandResult> {
  const rule = ['iif', bridge, 'to', METADATA_ADDRESS, 'ipproto', 'tcp', 'unreachable'];
  const [program, ...args] = asRoot(['ip', 'rule', verb, ...rule]);
  return await runCommand(program, args, { timeoutSeconds: SECONDS });
}

interface Rule {
  iif?: string;
  dst?: string;
  action?: string;
}

/** Bridges of the rules that are ours, by their names and by what they say. */
async function ruledBridges(): Promise<string[]> {
  const { stdout, failure } = await runCommand('ip', ['-json', 'rule', 'show'], { timeoutSeconds: SECONDS });
  if (failure !== null) return [];
  try {
    const rules: Rule[] = JSON.parse(stdout);
    return rules.flatMap(({ iif = '', dst, action }) =>
      BRIDGE.test(iif) && dst === METADATA_ADDRESS && action === 'unreachable' ? [iif] : [],
    );
  } catch {
    return [];
  }
}

function isDevice(name: string): boolean {
  return existsSync(`/sys/class/net/${name}`);
}
