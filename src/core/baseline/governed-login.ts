import { takenNames } from '../config/login.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { canonicalText } from './canonical.ts';

/**
 * Who logs in, and how, is a part of what is asked: the baseline's counts for both sides, or a change could be measured as somebody who
 * has less to be shown. A login that only the candidate has stays, for endpoints that are new.
 */
export function governedLogin(candidate: ResolvedSpec, baseline: ResolvedSpec): Pick<ResolvedSpec, 'login'> {
  const login = baseline.login ?? candidate.login;
  return login === undefined ? {} : { login };
}

/** Where the specs disagree on it; what the candidate's alone takes is then known to nobody. */
export function loginWarnings({ login }: ResolvedSpec, { login: before }: ResolvedSpec): Reason[] {
  if (before === undefined || canonicalText(login ?? null) === canonicalText(before)) return [];
  const known = takenNames(before);
  const lacking = login === undefined ? [] : takenNames(login).filter((name) => !known.includes(name));
  const more =
    lacking.length === 0
      ? ''
      : ` It does not take ${lacking.join(', ')}: endpoints that are asked with that are measured once the baseline has it.`;
  const message = `The login differs between both specs: both sides log in as the baseline's says.${more}`;
  return [{ code: 'login-differs', message }];
}
