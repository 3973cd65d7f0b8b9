import { readBaselinePhrase } from '../../core/config/baseline-phrase.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { RunRecord, SideOrigin } from '../../core/record/run-record.ts';
import { UserError } from '../../core/user-error.ts';
import type { BaselineAdapters } from './baseline-plan.ts';
import { recordAt } from './read-record.ts';

/** The very record whose numbers a run is compared with; null where it is gone. */
export async function storedAgain(
  { recordId }: SideOrigin,
  wanted: { text: string; recordDirectory: string },
  spec: ResolvedSpec,
  { history, files }: BaselineAdapters,
): Promise<RunRecord | null> {
  const phrase = readBaselinePhrase(wanted.text);
  if (phrase.kind === 'record') {
    const named = await recordAt(phrase.path, { ...wanted, spec }, files).catch(nothingWhereRefused);
    if (named?.id === recordId) return named;
  }
  for await (const record of history.all(spec.name, null)) if (record.id === recordId) return record;
  return null;
}

function nothingWhereRefused(error: unknown): null {
  if (error instanceof UserError) return null;
  throw error;
}
