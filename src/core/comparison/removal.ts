/** Of a case that the baseline has and the candidate no longer does: what to do. What was accepted needs none. */
const ADVICE = ' Put it back, or accept its removal by name.';

export function removalMessage(what: string): string {
  return `${what}${ADVICE}`;
}

/** The same once somebody has accepted it. */
export function acceptedRemoval(message: string): string {
  return message.replaceAll(ADVICE, '');
}
