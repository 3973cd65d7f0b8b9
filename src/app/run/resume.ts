import { canonicalText } from '../../core/baseline/canonical.ts';
import { withoutGoverned } from '../../core/baseline/governed-services.ts';
import { artifactsOf, type Built } from '../../core/config/builds.ts';
import { casesOf } from '../../core/config/case.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { withConnectionsOf } from '../../core/doctor/loadable-connections.ts';
import type { Variant } from '../../core/measurement/names.ts';
import { imageOfArtifact } from '../../core/record/artifact.ts';
import type { JournalEntry, JournalHeader } from '../../core/record/journal.ts';
import { redactedSpec } from '../../core/record/redaction.ts';
import { UsageError } from '../failures.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { PreparedService } from '../ports/testbed.ts';

/** A run that was interrupted, and that this one goes on with. */
export interface ResumedRun {
  header: JournalHeader;
  entries: JournalEntry[];
  /** Folder of the run, for sentences. */
  directory: string;
}

const AGAIN = 'Start a new run in another folder (--out).';

/**
 * Throws `UsageError` where the folder holds no run, or one of another spec. `measured` gives what a run like that one
 * would measure by.
 */
export async function resumedRun(
  measured: (header: JournalHeader) => ResolvedSpec,
  { directory, journal }: RunStore,
): Promise<ResumedRun> {
  const entries = await journal.read();
  if (entries === null) {
    throw new UsageError(
      `${directory} holds no journal.jsonl, so there is nothing to resume. Start a new run with --out.`,
    );
  }
  const header = entries[0] as JournalHeader;
  if (!isOf(header, measured(header))) throw otherSpec(directory);
  return { header, entries, directory };
}

/** What a run measured by, from its spec: a quick one has taken what connections its machine could hold. */
export function specAgain(
  spec: ResolvedSpec,
  { selection: { quick }, comparing, spec: before }: JournalHeader,
  shortenedBy: (quick: boolean) => (spec: ResolvedSpec) => ResolvedSpec,
): ResolvedSpec {
  const isReduced = quick && comparing === undefined;
  return shortenedBy(quick)(isReduced ? withConnectionsOf(before, spec) : spec);
}

/** What the baseline's spec governs is left out in a comparison: `refuseOtherSpec` sees to that once the baseline is there. */
function isOf({ spec, comparing }: JournalHeader, now: ResolvedSpec): boolean {
  if (comparing === undefined) return isSame(spec, redactedSpec(now));
  const keysOf = (of: ResolvedSpec) => casesOf(of).map(({ key }) => key);
  // Of the candidate's load, only its cases count (`loadOfBoth`).
  const sameCases = isSame(keysOf(now), keysOf(spec));
  const { load } = sameCases ? spec : now;
  return isSame(withoutGoverned(spec), withoutGoverned({ ...redactedSpec(now), load }));
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalText(one) === canonicalText(other);
}

/** Throws `UsageError` where the run would be measured by another spec than before, with all that its baseline's governs. */
export function refuseOtherSpec({ header, directory }: ResumedRun, measured: ResolvedSpec): void {
  if (!isSame(header.spec, redactedSpec(measured))) throw otherSpec(directory);
}

function otherSpec(directory: string): UsageError {
  return new UsageError(
    `${directory} was measured with another spec than this one. Start a new run in another folder, or give the spec as it was.`,
  );
}

/** Throws `UsageError` where the figures so far are of another machine: one record must not hold both. */
export function refuseOtherMachine({ header, directory }: ResumedRun, cpuModel: string): void {
  const before = header.environment.cpuModel;
  if (before === cpuModel) return;
  throw new UsageError(
    `${directory} was measured on ${before}, and this machine has ${cpuModel}: their figures cannot be mixed. ${AGAIN}`,
  );
}

/** Throws `UsageError` where what was prepared now is not what the journal's trials are of. */
export function refuseOtherArtifacts(
  { entries, directory }: ResumedRun,
  variant: Variant,
  prepared: readonly PreparedService[],
): void {
  const before = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'service' && entry.variant === variant && entry.failure === null && entry.artifact !== ''
        ? [[entry.service, programsOf(entry)] as const]
        : [],
    ),
  );
  for (const each of prepared) {
    const { service, failure } = each;
    const had = before.get(service);
    const now = programsOf(each);
    if (had === undefined || failure !== null || had === now) continue;
    throw new UsageError(
      `The ${variant} of ${service} is ${now} now and was ${had} when ${directory} was measured: ` +
        `two programs cannot be mixed in one record. Put it back as it was, or start a new run in another folder (--out).`,
    );
  }
}

/** The image's id, whatever registry it came from, of each build; a process's command line. */
function programsOf(built: Built): string {
  return artifactsOf(built)
    .map((artifact) => imageOfArtifact(artifact)?.id ?? artifact)
    .join(', ');
}
