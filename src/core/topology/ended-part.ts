import type { PartFailureCode } from './parts.ts';
import { PORT_IN_USE, type PortPlace, portConflict, portConflictWords } from './port-conflict.ts';

/** What became of a part that ended; what it printed last stands under the message. */
interface EndedPart {
  code: PartFailureCode | typeof PORT_IN_USE;
  message: string;
}

/** `ended`: how it did, without an end: `Service api exited with status 1 before it was ready`. */
export function endedPart(
  code: PartFailureCode,
  ended: string,
  { logLines, place }: { logLines: readonly string[]; place: PortPlace },
): EndedPart {
  const conflict = portConflict(logLines);
  return conflict === null
    ? { code, message: `${ended}. ${printedLast(logLines)}` }
    : { code: PORT_IN_USE, message: `${ended}: ${portConflictWords(conflict, place)}` };
}

/** Where nothing follows, the reader is told where else to look. */
export function printedLast(logLines: readonly string[]): string {
  return logLines.length > 0
    ? 'Its last log lines say why.'
    : 'It printed nothing: start it by hand, with the command and the env of the spec, or look where it writes its log.';
}

/** The same of a part that runs and does not get ready, where its log names a port that was not free. */
export function unreadySentence(sentence: string, logLines: readonly string[], place: PortPlace): string {
  const conflict = portConflict(logLines);
  return conflict === null ? sentence : `${sentence} Its log names a cause: ${portConflictWords(conflict, place)}`;
}
