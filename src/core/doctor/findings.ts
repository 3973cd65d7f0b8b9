import { disturbanceFindings } from './disturbance.ts';
import type { MachineFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { coresFinding, diskFinding, memoryFinding, openFilesFindings, sharedMemoryFinding } from './limits.ts';
import type { MachineNeeds } from './needs.ts';
import { backlogFinding, conntrackFinding, metadataFinding, portsFinding, timeWaitFinding } from './network.ts';
import { programFindings } from './programs.ts';
import { runtimeFindings, runtimeOf, type WantedRuntime } from './runtime.ts';

export type { Finding } from './finding.ts';

/** Everything that was looked at, in the order that a reader mends it; what is not needed is not looked at. */
export function findingsOf(needs: MachineNeeds, facts: MachineFacts, wanted: WantedRuntime = 'auto'): Finding[] {
  const runtime = runtimeOf(needs, facts, wanted);
  const platform = runtimeFindings(needs, facts, wanted, runtime);
  // Where nothing can run, the rest is of no use to anybody.
  if (platform[0]?.code === 'platform' && platform[0].severity === 'problem') return platform;
  const findings: (Finding | null)[] = [
    ...platform,
    ...programFindings(needs, facts, runtime),
    coresFinding(facts),
    ...openFilesFindings(needs, facts, runtime),
    portsFinding(needs, facts),
    timeWaitFinding(needs, facts, runtime),
    backlogFinding(needs, facts, runtime),
    conntrackFinding(needs, facts),
    metadataFinding(needs, facts, runtime),
    diskFinding(needs, facts),
    memoryFinding(needs, facts),
    sharedMemoryFinding(needs, facts, runtime),
    ...disturbanceFindings(facts),
  ];
  return findings.filter((finding) => finding !== null);
}
