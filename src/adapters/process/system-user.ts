import { readFileSync } from 'node:fs';

/** A user of this machine that a part runs as. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Whom Postgres and PgBouncer run as: both refuse to be root. Null where we are not root, and so run them as ourselves.
 */
export function unprivilegedUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = readUsers();
  return users.get('postgres') ?? users.get('nobody') ?? { name: '65534', uid: 65534, gid: 65534 };
}

/** Who owns nothing, for code of others. Null where we are not root and cannot become anybody else, and elsewhere than on Linux. */
export function nobody(): SystemUser | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  return readUsers().get('nobody') ?? { name: '65534', uid: 65534, gid: 65534 };
}

function readUsers(): Map<string, SystemUser> {
  const users = new Map<string, SystemUser>();
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && Number(uid) > 0) users.set(name, { name, uid: Number(uid), gid: Number(gid) });
  }
  return users;
}

/** The command as that user runs it. */
export function asUser(user: SystemUser | null, command: string[]): string[] {
  if (user === null) return command;
  return ['setpriv', '--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--clear-groups', '--', ...command];
}
