import { cpus, release, totalmem } from 'node:os';
import type { Environment } from '../../core/record/run-record.ts';
import { readCpuModel } from './cpu.ts';
import { kernelText } from './kernel-files.ts';
import { readOperatingSystem } from './operating-system.ts';

/** All of `run.json`'s environment that the machine knows by itself. */
export type MachineEnvironment = Omit<Environment, 'placement' | 'runtime'>;

/** What decides how many connections a machine opens, keeps and drops, and how it divides its CPUs and memory. */
const SYSCTLS = [
  'fs.file-max',
  'fs.nr_open',
  'kernel.sched_autogroup_enabled',
  'net.core.netdev_max_backlog',
  'net.core.somaxconn',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_congestion_control',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_max_syn_backlog',
  'net.ipv4.tcp_max_tw_buckets',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_tw_reuse',
  'net.netfilter.nf_conntrack_max',
  'vm.overcommit_memory',
  'vm.swappiness',
];

/** Those that this kernel has, by name; runs of blanks become one. */
function readSysctls(): Record<string, string> {
  const found = SYSCTLS.map((name) => [name, kernelText(`/proc/sys/${name.replaceAll('.', '/')}`)] as const);
  return Object.fromEntries(
    found.flatMap(([name, text]) => (text === null ? [] : [[name, text.replace(/\s+/g, ' ')]])),
  );
}

/** `versions` come from those who use the programs: runner, engine and database. */
export async function readEnvironment(versions: Environment['versions']): Promise<MachineEnvironment> {
  return {
    cpuModel: await readCpuModel(),
    cpuCount: cpus().length,
    memoryBytes: totalmem(),
    kernel: release(),
    os: readOperatingSystem().name,
    sysctls: readSysctls(),
    versions,
  };
}
