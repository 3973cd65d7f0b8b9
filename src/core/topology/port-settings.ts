import { closesEach } from '../config/case.ts';
import type { Plan } from '../plan/plan.ts';

/** A kernel setting by its name under /proc/sys, as `net.ipv4.tcp_tw_reuse`. */
export type Sysctls = Record<string, string>;

/**
 * Without keep-alive every request takes a local port, which the kernel keeps in TIME_WAIT for 60 s: the 28,232 of the
 * usual range last through 470 requests/s, and from then on every `connect` searches all of them in vain. The usual
 * `tcp_tw_reuse=2` gives them back after a second on loopback only, and neither containers nor networks of one side are there.
 */
export function portSettings(plan: Plan): Sysctls {
  const closing = plan.services.some(({ cases }) => cases.some(closesEach));
  return closing ? { 'net.ipv4.tcp_tw_reuse': '1', 'net.ipv4.ip_local_port_range': '10240\t65535' } : {};
}
