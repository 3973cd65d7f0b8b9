import { counted } from '../format/figures.ts';
import type { MachineFacts } from './facts.ts';
import { count, type Finding, ok, problem, warning } from './finding.ts';
import { asRoot } from './installation.ts';
import type { MachineNeeds } from './needs.ts';
import type { Runtime } from './runtime.ts';

/** A closed connection keeps its port for this long, in TIME_WAIT. */
const TIME_WAIT_SECONDS = 60;
const WIDEST_RANGE = { first: 1024, last: 65_535 };
/** What a new network namespace starts with, whatever the machine's own value: since Linux 5.4, and before. */
const NAMESPACE_BACKLOG = { new: 4096, old: 128 };

/** Each connection to one address needs a local port of its own. */
export function portsFinding({ connections }: MachineNeeds, facts: MachineFacts): Finding | null {
  if (facts.ports === null) return null;
  const ports = available(facts.ports);
  const there = `${counted(ports, 'local port')} (${facts.ports.first}-${facts.ports.last})`;
  if (connections <= ports) return ok('ports', `${there} for ${counted(connections, 'connection')}`);
  const most = available(WIDEST_RANGE);
  const short = `${counted(connections, 'connection')} to one address need as many local ports; there are ${there}`;
  if (connections > most) {
    return problem('ports', `${short}, and no machine has more than ${count(most)}. Measure fewer connections.`, null);
  }
  return problem('ports', `${short}.`, widen(facts));
}

/** Without keep-alive every request takes a port, which then rests in TIME_WAIT on the side that closed first. */
export function timeWaitFinding(needs: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding | null {
  if (needs.closingSeconds === null || facts.ports === null || facts.tcpTwReuse === null) return null;
  const ports = available(facts.ports);
  const free = Math.max(0, ports - facts.ports.timeWait);
  const isOnLoopback = runtime === 'process' && needs.internal.length === 0;
  const reused = facts.tcpTwReuse === 1 || (facts.tcpTwReuse === 2 && isOnLoopback);
  if (reused)
    return ok(
      'port-reuse',
      `tcp_tw_reuse=${facts.tcpTwReuse}: ports of closed connections are used again after a second`,
    );
  const seconds = Math.min(needs.closingSeconds, TIME_WAIT_SECONDS);
  const again =
    facts.tcpTwReuse === 2
      ? 'tcp_tw_reuse=2 gives them back early on loopback only'
      : 'tcp_tw_reuse=0 never gives them back early';
  return warning(
    'port-reuse',
    `Without keep-alive every request takes a local port, which then rests for ${TIME_WAIT_SECONDS} s: ${count(free)} free ones last through ${counted(seconds, 'second')} of load at ${count(free / seconds)} requests/s, and for good at ${count(ports / TIME_WAIT_SECONDS)}/s; ${again}. A run sets it while it measures, as root or through a sudo without a password; where it may not, faster cases end as ports-exhausted.`,
    asRoot(facts, 'sysctl -w net.ipv4.tcp_tw_reuse=1'),
  );
}

/** Connections that are opened faster than they are accepted wait in the listener's backlog, which is cut to this. */
export function backlogFinding({ connections }: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding | null {
  const backlog = runtime === 'docker' ? containerBacklog(facts.kernel) : facts.somaxconn;
  if (backlog === null) return null;
  const whose = runtime === 'docker' ? "a container's somaxconn" : 'net.core.somaxconn';
  if (connections <= backlog)
    return ok('listen-backlog', `${whose} is ${count(backlog)} for ${counted(connections, 'connection')}`);
  const wide = Math.min(65_535, 2 ** Math.ceil(Math.log2(connections)));
  return warning(
    'listen-backlog',
    `${counted(connections, 'connection')} are opened at once, and ${whose} is ${count(backlog)}: what does not fit tries again after 1, 3 and 7 seconds. Cases where some never get through are marked connections-lost.`,
    runtime === 'docker' ? null : asRoot(facts, `sysctl -w net.core.somaxconn=${wide}`),
  );
}

/** A full table drops new connections without a word. */
export function conntrackFinding(needs: MachineNeeds, facts: MachineFacts): Finding | null {
  if (facts.conntrack === null) return null;
  const { max, count: now } = facts.conntrack;
  const hops = needs.gateway ? 2 : 1;
  // Warm-up and trial follow each other: connections of the first are still tracked in the second.
  const open = now + 2 * needs.connections * hops;
  // Closed ones are tracked on for 120 s; no more of them than ports, since a tuple that comes again takes its old entry.
  const closed = needs.closingSeconds === null || facts.ports === null ? 0 : available(facts.ports) * hops;
  const expected = open + closed;
  const figures = `${count(expected)} tracked connections expected, nf_conntrack_max is ${count(max)}`;
  if (expected <= max) return ok('conntrack', figures);
  const command = asRoot(facts, `sysctl -w net.netfilter.nf_conntrack_max=${2 ** Math.ceil(Math.log2(expected))}`);
  const dropped = `${figures}: the kernel drops connections that it cannot track.`;
  return open > max ? problem('conntrack', dropped, command) : warning('conntrack', dropped, command);
}

/** Where a cloud hands this machine its credentials. An engine elsewhere has a run of its own machine, which looks there. */
export function metadataFinding(needs: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding | null {
  const { engine } = facts;
  if (runtime === 'process' || !needs.openNetwork || engine.state !== 'answers' || engine.openFiles === null)
    return null;
  if (engine.hidesNetworks) {
    return warning(
      'metadata',
      "Services reach 169.254.169.254, where clouds hand out the credentials of a machine: the engine's networks are not among the devices of this machine, so no rule can keep services from it. Use an engine in this machine's own network, or give services that ask nobody else `network: internal` in the spec.",
      null,
    );
  }
  if (facts.rights.setsRoutingRules) {
    return ok('metadata', "services do not reach a cloud's metadata service (169.254.169.254)");
  }
  return warning(
    'metadata',
    'Services reach 169.254.169.254, where clouds hand out the credentials of a machine. A run keeps them from it as root, or through a sudo without a password, by the command ip (iproute2). Where that cannot be, give services that ask nobody else `network: internal` in the spec.',
    null,
  );
}

function available({ first, last }: { first: number; last: number }): number {
  return last - first + 1;
}

function widen(facts: MachineFacts): string {
  return asRoot(facts, `sysctl -w net.ipv4.ip_local_port_range="${WIDEST_RANGE.first} ${WIDEST_RANGE.last}"`);
}

function containerBacklog(kernel: string): number {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 4) ? NAMESPACE_BACKLOG.new : NAMESPACE_BACKLOG.old;
}
