import type { Plan } from '../../core/plan/case.ts';
import type { JournalEntry, JournalHeader } from '../../core/record/journal.ts';
import type { Reason } from '../../core/record/run-record.ts';
import { counted } from '../../core/report/figures.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import { StoreError } from '../ports.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { courseOf } from './course.ts';
import { measureService } from './service.ts';

export interface MeasuringRequest {
  header: JournalHeader;
  spec: ResolvedSpec;
  specDirectory: string;
  plan: Plan;
  /** The journal of the run that goes on; null for a new one. */
  resumed: JournalEntry[] | null;
}

export interface MeasuringEnd {
  /** Why it ended early; null where every case was come to. */
  interrupted: Reason | null;
}

/**
 * Measures what the plan holds and is not in the journal yet, each slice going into the journal as soon as it is
 * measured. Ends early, and in good order, when it is aborted or when the folder cannot be written any more.
 */
export async function measure(
  request: MeasuringRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<MeasuringEnd> {
  const { store, clock } = adapters;
  const startedNs = clock.monotonicNs();
  if (request.resumed === null) await store.journal.append({ kind: 'header', ...request.header });

  let interrupted: Reason | null = null;
  try {
    await measureAll(request, adapters, signal);
  } catch (error) {
    if (signal.aborted) interrupted = { code: 'interrupted', message: String(signal.reason?.message ?? signal.reason) };
    else if (error instanceof StoreError) interrupted = { code: 'disk', message: error.message };
    else throw error;
  }
  const wallSeconds = (clock.monotonicNs() - startedNs) / 1e9;
  const end: JournalEntry = { kind: 'end', at: clock.now().toISOString(), wallSeconds, interrupted };
  // A folder that could not be written a moment ago may still not be: the reason reaches the caller all the same.
  await store.journal.append(end).catch((error: unknown) => {
    if (!(error instanceof StoreError) || interrupted === null) throw error;
  });
  return { interrupted };
}

async function measureAll(request: MeasuringRequest, adapters: MeasuringAdapters, signal: AbortSignal): Promise<void> {
  const { spec, specDirectory, header } = request;
  const { progress, runtime, clock } = adapters;
  const stages = remainingStages(request);
  const total = stages.reduce((sum, { cases }) => sum + cases.length, 0);
  if (total === 0) return;

  for (const sentence of await runtime.sweep()) progress.say(sentence);
  const services = stages.map(({ service }) => service);
  const prepared = await runtime.prepare(
    { runId: header.id, spec, services, specDirectory, onLine: (line) => progress.say(line) },
    signal,
  );
  const planned = request.plan.stages.reduce((sum, { cases }) => sum + cases.length, 0);
  const course = courseOf(total, (request.plan.estimate.wallSeconds * total) / planned, clock, progress);
  for (const stage of stages) {
    signal.throwIfAborted();
    progress.begin(`${stage.service.name}: ${counted(stage.cases.length, 'case')}`);
    try {
      await measureService(
        {
          runId: header.id,
          spec,
          specDirectory,
          placement: header.environment.placement,
          planned: stage,
          prepared: prepared.find(({ service }) => service === stage.service.name)!,
          instance: nextInstance(request.resumed ?? [], stage.service.name),
          course,
        },
        adapters,
        signal,
      );
    } finally {
      progress.end();
    }
  }
}

/** The plan without the cases that the journal holds a slice of; a case that was lost gets another try. */
function remainingStages({ plan, resumed }: MeasuringRequest): Plan['stages'] {
  const measured = new Set((resumed ?? []).flatMap((entry) => (entry.kind === 'slice' ? [entry.caseKey] : [])));
  return plan.stages
    .map(({ service, cases }) => ({ service, cases: cases.filter(({ key }) => !measured.has(key)) }))
    .filter(({ cases }) => cases.length > 0);
}

function nextInstance(entries: JournalEntry[], service: string): number {
  const instances = entries.flatMap((entry) =>
    entry.kind === 'pass' && entry.service === service ? [entry.instance] : [],
  );
  return Math.max(0, ...instances) + 1;
}
