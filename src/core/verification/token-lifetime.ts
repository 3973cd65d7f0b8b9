import { takePlaceOf } from '../config/take.ts';
import type { Answer } from './answer.ts';
import { memberAt } from './taken-values.ts';

/**
 * For how many seconds a taken value is good, as far as anybody says: `exp` of a JWT, whose signature is nobody's business here, or
 * `expires_in` beside it in the answer. Null where neither does.
 */
export function lifetimeSeconds(
  value: string,
  written: string,
  answer: Extract<Answer, { kind: 'answered' }>,
  nowMs: number,
): number | null {
  const expiry = expiryOf(value);
  if (expiry !== null) return expiry - nowMs / 1000;
  const place = takePlaceOf(written);
  if (place?.kind !== 'json') return null;
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(answer.body));
    const beside = memberAt(json, [...place.path.slice(0, -1), 'expires_in']);
    // Some servers write their numbers as texts.
    const seconds = typeof beside === 'string' && /^\d{1,12}$/.test(beside) ? Number(beside) : beside;
    return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
  } catch {
    return null;
  }
}

const JWT = /^[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]*$/;

/** Seconds since 1970; null for what is no JWT, or one without an end. */
function expiryOf(token: string): number | null {
  const payload = JWT.exec(token)?.[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const expiry = memberAt(claims, ['exp']);
    return typeof expiry === 'number' && Number.isFinite(expiry) ? expiry : null;
  } catch {
    return null;
  }
}
