import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { runCommand } from '../process/command.ts';
import { asRoot } from '../process/root-command.ts';

/** Where clouds hand a machine its own credentials, over HTTP, to whoever asks from it. */
const METADATA_ADDRESS = '169.254.169.254';
const BRIDGE = /^wrkb-[0-9a-f]{10}$/;
const SECONDS = 5;

/** The device of a network of ours, by which rules know it; the kernel allows 15 characters. */
export function bridgeOf(network: string): string {
  return `wrkb-${createHash('sha256').update(network).digest('hex').slice(0, 10)}`;
}

/**
 * Keeps what is on a bridge from the metadata service, by a routing rule of the machine: before any container is on it, and out
 * of reach of all that are. TCP alone, since on Google Cloud the same address answers name queries. Resolves to whether the
 * rule holds, which takes root, or a sudo without a password, and the bridge on this machine.
 */
export async function keepFromMetadata(bridge: string): Promise<boolean> {
  return isDevice(bridge) && (await changeRule('add', bridge));
}

/** Removes our rules of bridges that are gone, which `among` names; resolves to those. Never rejects. */
export async function removeMetadataRules(among: (bridge: string) => boolean = () => true): Promise<string[]> {
  const removed: string[] = [];
  for (const bridge of await ruledBridges()) {
    if (among(bridge) && !isDevice(bridge) && (await changeRule('del', bridge))) removed.push(bridge);
  }
  return removed;
}

async function changeRule(verb: 'add' | 'del', bridge: string): Promise<boolean> {
  const rule = ['iif', bridge, 'to', METADATA_ADDRESS, 'ipproto', 'tcp', 'unreachable'];
  const [program, ...args] = asRoot(['ip', 'rule', verb, ...rule]);
  return (await runCommand(program, args, { timeoutSeconds: SECONDS })).failure === null;
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
