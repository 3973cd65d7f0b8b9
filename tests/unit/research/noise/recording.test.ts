import { describe, expect, it } from 'vitest';
import {
  type NoiseHeader,
  type NoiseLine,
  readRecording,
  recordingLine,
} from '../../../../research/noise/noise-line.ts';

const header: NoiseHeader = {
  format: 1,
  condition: 'quiet',
  pairing: 'duet',
  startedAt: '2026-11-20T09:00:00.000Z',
  machine: { cpuModel: 'AMD EPYC 7763', cpuCount: 2, memoryBytes: 8e9, kernel: '6.8.0', os: 'Ubuntu 24.04' },
  placement: { service: '0', database: '0', generator: '1' },
  tool: { version: '0.1.0' },
  versions: { wrk: '4.1.0', k6: '1.8.1' },
  disturbance: null,
  seed: 71,
  spec: 'name: noise\n',
};
const trial = { run: 1, round: 1, case: 'node/ping/direct/wrk/keep-alive/100', cpuUs: 990_000 } as NoiseLine;

describe('a recording', () => {
  it('is read as it was written', () => {
    const text = [{ header }, trial, trial].map(recordingLine).join('');
    expect(readRecording(text, 'quiet.jsonl')).toEqual({ header, trials: [trial, trial] });
  });

  it('does without a last line that was cut off', () => {
    const text = `${recordingLine({ header })}${recordingLine(trial)}{"run":1,"inst`;
    expect(readRecording(text, 'quiet.jsonl').trials).toEqual([trial]);
  });

  it('says which line is not one', () => {
    const text = `${recordingLine({ header })}{"run":\n${recordingLine(trial)}`;
    expect(() => readRecording(text, 'quiet.jsonl')).toThrow(
      'quiet.jsonl:2 is not JSON: take that line out, or record the file again.',
    );
  });

  it('needs its header', () => {
    const message = 'quiet.jsonl does not begin with the header of a recording of format 1.';
    expect(() => readRecording(recordingLine(trial), 'quiet.jsonl')).toThrow(message);
    expect(() => readRecording('', 'quiet.jsonl')).toThrow(message);
  });
});
