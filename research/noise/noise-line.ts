import type { Pairing } from './noise-spec.ts';

/** One trial of a recording: one generator execution against one side of a null comparison. README.md of research/recordings/noise. */
export interface NoiseLine {
  /** Run of `wrkbench run` that it is from, from 1. */
  run: number;
  /** Start of both sides' containers; unique in a file, from 1. */
  round: number;
  case: string;
  trial: number;
  /** Unique for a case in a round and mode; the two trials of a pair share it. */
  pair: number | null;
  mode: 'solo' | 'duet';
  variant: 'baseline' | 'candidate';
  /** From the start of the first trial of its run. */
  startedNs: number;
  durationNs: number;
  /** Requests per second and side that k6 was told to send; null for wrk. */
  rate: number | null;
  /** All that `cpuUs` was spent on: k6's lead-in included, and of wrk what the header says. */
  requests: number;
  /** Of the generator's own clock; requests of the lead-in were before it. */
  outcomeSeconds: number;
  /** CPU time of service and database. */
  cpuUs: number;
  databaseUs: number;
  /** What of `cpuUs` is not of the service's background threads; absent where its main threads do less than half of its work, and in older recordings. */
  withoutBackgroundUs?: number;
  /** This side's CPU time of what both sides used while they overlapped; null alone. */
  cpuShare: number | null;
  /** Of the server's CPUs: alone what the service used; in a duet what both used of what others left. */
  busyShare: number;
  /** Requests per second; of a duet in the overlap alone. */
  throughput: number | null;
  /** Milliseconds. */
  p50: number | null;
  p90: number | null;
  p99: number | null;
  /** Of the service; 0 where it was not read. */
  peakBytes: number;
  settledBytes: number;
  valid: boolean;
}

/** The first line of a recording. */
export interface NoiseHeader {
  format: 1;
  condition: 'quiet' | 'disturbed';
  pairing: Pairing;
  /** ISO 8601, UTC. */
  startedAt: string;
  machine: { cpuModel: string; cpuCount: number; memoryBytes: number; kernel: string; os: string };
  placement: { service: string; database: string; generator: string };
  /** `bundle`: SHA-256 of dist/cli.cjs, 12 digits; not in the first recordings. */
  tool: { version: string; bundle?: string };
  /** Which of wrk's requests `cpuUs` was spent on; absent for those that were answered before the load ended. */
  counted?: 'sent';
  versions: Record<string, string | null>;
  /** What disturbed it, with its seed; null where nothing of ours did. */
  disturbance: { text: string; seed: number } | null;
  /** Run n had the seed `seed + n`. */
  seed: number;
  /** As it was given to `wrkbench run`. */
  spec: string;
}

export interface Recording {
  header: NoiseHeader;
  trials: NoiseLine[];
}

/**
 * What a recording's file holds. A last line that was cut off is left out; throws an `Error` with the line's number where
 * any other one is not what it should be.
 */
export function readRecording(text: string, fileName: string): Recording {
  const lines = text.split('\n').slice(0, -1);
  const [first, ...trials] = lines.map((line, index) => {
    try {
      return JSON.parse(line) as object;
    } catch {
      throw new Error(`${fileName}:${index + 1} is not JSON: take that line out, or record the file again.`);
    }
  });
  const header = (first as { header?: NoiseHeader } | undefined)?.header;
  if (header?.format !== 1) throw new Error(`${fileName} does not begin with the header of a recording of format 1.`);
  return { header, trials: trials as NoiseLine[] };
}

export function recordingLine(line: NoiseLine | { header: NoiseHeader }): string {
  return `${JSON.stringify(line)}\n`;
}
