import type { BodySearch } from '../ports/body-search.ts';
import type { GeneratorRunner } from '../ports/generators.ts';
import type { HttpProbe } from '../ports/http-probe.ts';
import type { Clock, CpuMeter, PortMeter } from '../ports/machine.ts';
import type { Progress } from '../ports/progress.ts';
import type { RequestFiles } from '../ports/request-files.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { SyscallCounter } from '../ports/syscalls.ts';
import type { TestbedRuntime } from '../ports/testbed.ts';

/** What measuring needs from outside, together, since every part of it needs most. */
export interface MeasuringAdapters {
  runtime: TestbedRuntime;
  generators: GeneratorRunner;
  probe: HttpProbe;
  bodySearch: BodySearch;
  requestFiles: RequestFiles;
  cpus: CpuMeter;
  ports: PortMeter;
  syscalls: SyscallCounter;
  clock: Clock;
  store: RunStore;
  progress: Progress;
}
