/** Whom a server makes at its start where it is told to: an example of its variables usually leaves them open. */
import type { ComposeVariable } from './compose.ts';
import { MADE_UP_SECRET } from './environment.ts';

const PASSWORD = /^(\w*(?:ADMIN|SUPERUSER|FIRST_USER|INITIAL_USER|DEFAULT_USER)\w*?)_(?:PASSWORD|PASSWD|PASS)$/;
const USERS: readonly [string, string][] = [
  ['_USERNAME', 'admin'],
  ['_USER', 'admin'],
  ['_NAME', 'admin'],
  ['_LOGIN', 'admin'],
  ['_EMAIL', 'admin@example.com'],
  ['_MAIL', 'admin@example.com'],
];

/** Name and password made up where both are there and empty, since nobody could log in without. */
export function withFirstAccount(variables: readonly ComposeVariable[]): ComposeVariable[] {
  const empty = new Set(variables.filter(({ value }) => (value ?? '').trim() === '').map(({ name }) => name));
  const made = new Map<string, string>();
  for (const password of empty) {
    const stem = PASSWORD.exec(password)?.[1];
    const users = USERS.filter(([end]) => stem !== undefined && empty.has(`${stem}${end}`));
    if (users.length === 0) continue;
    made.set(password, MADE_UP_SECRET);
    for (const [end, user] of users) made.set(`${stem}${end}`, user);
  }
  return variables.map((each) => ({ ...each, value: made.get(each.name) ?? each.value }));
}
