import { imageOfArtifact } from './artifact.ts';
import type { JournalEntry } from './journal.ts';
import { redactedCommand } from './redacted-command.ts';
import { REDACTED, redactedText } from './redacted-text.ts';

/** A text without secrets that are known by their value. Longer ones first: a shorter one may stand in them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .sort((one, other) => other.length - one.length)
    .reduce((kept, secret) => kept.replaceAll(secret, REDACTED), text);
}

/**
 * What servers, builds and generators print, without what is known to be a secret and what its own form says is one: a
 * service that dies may well print its environment.
 */
export function printedText(text: string, secrets: readonly string[]): string {
  return redactedText(withoutSecrets(text, secrets));
}

/** What was started: the command line of a process, with its options; an image is told by its digests. */
export function shownArtifact(artifact: string, secrets: readonly string[]): string {
  if (imageOfArtifact(artifact) !== null) return artifact;
  return redactedCommand([withoutSecrets(artifact, secrets)])[0]!;
}

/** The entry as it is kept: each of its texts without secrets. Its spec is a matter of `redactedSpec`. */
export function keptEntry(entry: JournalEntry, secrets: readonly string[]): JournalEntry {
  // Of a statement, `token=u.token` holds no secret; Postgres keeps `$1` for the values.
  const hide = entry.kind === 'pass' ? withoutSecrets : printedText;
  const kept = withTexts(entry, (text) => hide(text, secrets), STRUCTURE);
  return kept.kind === 'service' ? { ...kept, artifact: shownArtifact(kept.artifact, secrets) } : kept;
}

/** Names, hashes and choices of ours: a password may be the same word. */
const STRUCTURE: ReadonlySet<string> = new Set(
  (
    'kind schemaVersion id startedAt at tool source environment spec selection gate wanted accepted recordId sha code ' +
    'caseKey service variant endpoint route mode artifact builds outcome raw version'
  ).split(' '),
);

/** The value with each text in it through `change`, but for what stands under the keys of `except`. */
export function withTexts<T>(value: T, change: (text: string) => string, except?: ReadonlySet<string>): T {
  const visit = (inner: unknown): unknown => {
    if (typeof inner === 'string') return change(inner);
    if (Array.isArray(inner)) return inner.map(visit);
    if (inner === null || typeof inner !== 'object') return inner;
    const entries = Object.entries(inner).map(([key, each]) => [key, except?.has(key) ? each : visit(each)]);
    return Object.fromEntries(entries);
  };
  return visit(value) as T;
}
