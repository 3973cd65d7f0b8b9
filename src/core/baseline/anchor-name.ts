import { readBaselinePhrase } from '../config/baseline-phrase.ts';
import type { RunRecord } from '../record/run-record.ts';
import { UserError } from '../user-error.ts';
import { shortSha } from './commit.ts';

/** `v1.0` of `commit:v1.0`: what a spec calls its anchor; null where it names none that can be read. */
export function anchorName({ comparing, spec }: Pick<RunRecord, 'comparing' | 'spec'>): string | null {
  const text = (comparing?.gate ?? spec.gate).anchor ?? spec.gate.anchor;
  try {
    const phrase = text === undefined ? null : readBaselinePhrase(text);
    if (phrase?.kind === 'commit') return /^[0-9a-f]{40,64}$/.test(phrase.ref) ? shortSha(phrase.ref) : phrase.ref;
    if (phrase?.kind === 'image') return phrase.reference;
    if (phrase?.kind === 'record') return phrase.path;
  } catch (error) {
    // A record may be of anybody.
    if (!(error instanceof UserError)) throw error;
  }
  return null;
}
