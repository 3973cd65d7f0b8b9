import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readJournal } from '../../../src/core/record/journal.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { disturb } from '../../noise/disturbance.ts';
import { bundleDigest, comparingRun, type FinishedRun } from '../../noise/measured-run.ts';
import { NOISE_FILES } from '../../noise/noise-spec.ts';
import { sideImages } from './images.ts';
import { withoutShares } from './injection.ts';
import { liveSpec, SERVERS } from './kinds.ts';
import { findings, type Injected, type LiveResult } from './result.ts';
import type { Planned } from './schedule.ts';

/** CPU that is disturbed: where a run on two cores puts its servers. */
const SERVER_CPU = '0';

/** Measures one comparison in real containers. Throws an `Error` with what was said where it did not come to a verdict. */
export async function compared({ kind, condition, seed }: Planned, injected: Injected): Promise<LiveResult> {
  const { image, environment } = SERVERS[kind.server];
  const images = sideImages(image, seed, {
    baseline: { ...environment, ...withoutShares(injected.environment) },
    candidate: { ...environment, ...injected.environment },
  });
  const disturbance = condition === 'disturbed' ? disturb(seed, SERVER_CPU) : null;
  let run: FinishedRun | null = null;
  try {
    run = await comparingRun({
      spec: liveSpec(kind, images.candidate),
      files: NOISE_FILES,
      baseline: `image:${images.baseline}`,
      seed,
    });
    const taken = (await disturbance?.stop()) ?? null;
    const { exitStatus, said } = run;
    // 0: passed; 1: a regression or an invalid case. With anything else there is nothing to tell of.
    if (exitStatus > 1) throw new Error(`wrkbench run ended with ${exitStatus}:\n${said}`);
    const record: RunRecord = JSON.parse(readFileSync(path.join(run.out, 'run.json'), 'utf8'));
    const { cpuModel, kernel } = record.environment;
    return {
      kind: kind.name,
      condition,
      seed,
      finishedAt: record.finishedAt,
      machine: { cpuModel, kernel },
      tool: { version: record.tool.version, bundle: bundleDigest() },
      injected,
      exitStatus,
      seconds: {
        comparing: seconds(comparingSecondsOf(path.join(run.out, 'journal.jsonl'))),
        load: seconds(record.timing.loadSeconds),
        wall: seconds(record.timing.wallSeconds),
      },
      ...findings(record),
      disturbance: taken,
    };
  } finally {
    await disturbance?.stop();
    run?.release();
    images.remove();
  }
}

function comparingSecondsOf(journal: string): number {
  return readJournal(readFileSync(journal, 'utf8'), journal).reduce(
    (sum, entry) => sum + (entry.kind === 'round' || entry.kind === 'broken-off' ? entry.comparingSeconds : 0),
    0,
  );
}

function seconds(value: number): number {
  return Number(value.toFixed(1));
}
