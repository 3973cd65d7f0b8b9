import type { RunRecord } from '../record/run-record.ts';
import { readRunRecord, UnreadableRecord } from '../record/run-record-file.ts';
import type { StoredPlace } from './place.ts';

/** Null where it is no record, or another one. The name is only the way to find it: what it says must be so. */
export function storedRecord(text: string, { path, specName, id, sha }: StoredPlace): RunRecord | null {
  try {
    const record = readRunRecord(text, path);
    return record.spec.name === specName && record.id === id && record.source.sha === sha ? record : null;
  } catch (error) {
    if (error instanceof UnreadableRecord) return null;
    throw error;
  }
}
