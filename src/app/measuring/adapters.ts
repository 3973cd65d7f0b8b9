import type {
  Clock,
  CpuMeter,
  GeneratorRunner,
  HttpProbe,
  PortMeter,
  Progress,
  RunStore,
  StageRuntime,
} from '../ports.ts';

/** What measuring needs from outside, together, since every part of it needs most. */
export interface MeasuringAdapters {
  runtime: StageRuntime;
  generators: GeneratorRunner;
  probe: HttpProbe;
  cpus: CpuMeter;
  ports: PortMeter;
  clock: Clock;
  store: RunStore;
  progress: Progress;
}
