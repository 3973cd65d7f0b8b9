import { runCommand } from '../process/command.ts';
import { asRoot, isRoot } from '../process/root-command.ts';
import { hasCapability } from './capabilities.ts';

/** Whether a run may set the rules that keep services from metadata services (`adapters/docker/metadata-rules.ts`); sets none. */
export async function maySetRoutingRules(): Promise<boolean> {
  if (process.platform !== 'linux' || (isRoot() && !hasCapability('CAP_NET_ADMIN'))) return false;
  const [program, ...args] = asRoot(['ip', '-json', 'rule', 'show']);
  return (await runCommand(program, args, { timeoutSeconds: 5 })).failure === null;
}
