import { dirname } from 'node:path';
import type { SideOrigin } from '../../core/record/run-record.ts';
import {
  type CandidateOfRun,
  type PreparedBaseline,
  preparedBaseline,
  type Surroundings,
  type WantedBaseline,
} from '../baseline/prepared-baseline.ts';
import { storedAgain } from '../baseline/stored-again.ts';
import { UsageError } from '../failures.ts';
import type { TestbedRuntime } from '../ports/testbed.ts';
import { type ResumedRun, refuseOtherArtifacts } from './resume.ts';

export interface RunBaselineRequest extends CandidateOfRun {
  baseline: WantedBaseline | null;
  resumed: ResumedRun | null;
}

/**
 * Resolves what the candidate is compared with, and prepares it. Where a way turns out to be closed (the commit no longer
 * builds), the next one is taken, and the reader told. A resumed run goes on with what it had. Throws as
 * `preparedBaseline`, and `UsageError` where the baseline of a resumed run is gone or another one.
 */
export async function runBaseline(request: RunBaselineRequest, surroundings: Surroundings): Promise<PreparedBaseline> {
  const { resumed, baseline } = request;
  if (resumed !== null) return await resumedBaseline(request, resumed, surroundings);
  return baseline === null ? { kind: 'none' } : await preparedBaseline(baseline, request, surroundings);
}

async function resumedBaseline(
  request: RunBaselineRequest,
  resumed: ResumedRun,
  surroundings: Surroundings,
): Promise<PreparedBaseline> {
  const { comparing, unpaired, selection } = resumed.header;
  const wanted: WantedBaseline = {
    text: selection.baseline ?? 'none',
    phraseFrom: selection.phraseFrom ?? 'call',
    recordDirectory: dirname(request.specFile),
  };
  // A better way that is open by now would make another run of it.
  if (comparing === undefined) {
    if (unpaired === undefined) return { kind: 'none' };
    const { baseline, candidate: candidateOrigin, warnings } = unpaired;
    if (baseline === null) return { kind: 'first', wanted, candidateOrigin, warnings };
    const record = await storedAgain(baseline, wanted, request.spec, surroundings.adapters.baselines);
    if (record === null) throw gone(resumed, baseline);
    return { kind: 'stored', wanted, record, gate: record.spec.gate, origin: baseline, candidateOrigin, warnings };
  }
  const found = await preparedBaseline(wanted, request, surroundings);
  try {
    if (found.kind !== 'built') throw gone(resumed, comparing.baseline);
    const { origin } = found;
    if (origin.sha !== comparing.baseline.sha || origin.recordId !== comparing.baseline.recordId) {
      throw gone(resumed, comparing.baseline, origin);
    }
    refuseOtherArtifacts(resumed, 'baseline', found.prepared);
    return found;
  } catch (error) {
    await release(found);
    throw error;
  }
}

function gone({ directory }: ResumedRun, { text }: SideOrigin, now?: SideOrigin): UsageError {
  const why = now === undefined ? 'which is not available any more' : `and now it would be ${now.text}`;
  return new UsageError(`${directory} was compared with ${text}, ${why}. Start a new run in another folder (--out).`);
}

export async function release(baseline: PreparedBaseline): Promise<void> {
  if (baseline.kind === 'built') await baseline.release();
}

/** Images that were built for this baseline alone would pile up: nobody asks for them again by any name. */
export async function discard(baseline: PreparedBaseline, runtime: TestbedRuntime): Promise<void> {
  if (baseline.kind !== 'built') return;
  const { spec, prepared } = baseline;
  const built = spec.services.filter(({ image }) => image?.kind === 'build').map(({ name }) => name);
  await runtime.discard(prepared.filter(({ service }) => built.includes(service)));
}
