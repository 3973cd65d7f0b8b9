/** Ways out for a case that the baseline has and the candidate no longer answers for. */
type WayOut = 'Put it back' | 'Answer the old request as well';

const OR_ACCEPT = ', or accept its removal by name.';

export function removalMessage(what: string, wayOut: WayOut = 'Put it back'): string {
  return `${what} ${wayOut}${OR_ACCEPT}`;
}

/** The same once somebody has accepted it, which leaves nothing to do. */
export function acceptedRemoval(message: string): string {
  return message
    .replaceAll(` Put it back${OR_ACCEPT}`, '')
    .replaceAll(` Answer the old request as well${OR_ACCEPT}`, '');
}
