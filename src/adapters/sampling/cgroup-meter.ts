import type { ResourceMeter } from '../../app/ports/testbed.ts';

export interface CgroupMeter extends ResourceMeter {
  /** Processes of it that the kernel has ended for want of memory. */
  oomKills(): number;
  /** Ids of its processes on this machine; none where it is gone. */
  pids(): number[];
  /** Lets go of its files; what was read last stays readable. */
  close(): void;
}
