import type { Manifest } from '../../core/publication/manifest.ts';

type Forge = Pick<Manifest, 'server' | 'repository'>;

/** Null where the branch does not say which server it came from, or says what is none of the web. */
export function commitAddress(forge: Forge, sha: string): string | null {
  return /^[0-9a-f]{7,64}$/.test(sha) ? addressOf(forge, ['commit', sha]) : null;
}

/** What was committed after the first and up to the second: GitHub and Gitea both know it by this path. */
export function commitsAddress(forge: Forge, from: string, to: string): string | null {
  const isCommit = (sha: string) => /^[0-9a-f]{7,64}$/.test(sha);
  return isCommit(from) && isCommit(to) ? addressOf(forge, ['compare', `${from}...${to}`]) : null;
}

/** GitHub and Gitea both know it by this path: the one shows it, the other sends on to `pulls`. */
export function pullRequestAddress(forge: Forge, number: number): string | null {
  return addressOf(forge, ['pull', String(number)]);
}

export function releaseAddress(forge: Forge, tag: string): string | null {
  return addressOf(forge, ['releases', 'tag', tag]);
}

function addressOf({ server, repository }: Forge, path: readonly string[]): string | null {
  if (server === null || repository === null || !URL.canParse(server)) return null;
  const { protocol, origin, pathname } = new URL(server);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  if (!/^[\w.-]+(?:\/[\w.-]+)+$/.test(repository) || /(?:^|\/)\.\.?(?:\/|$)/.test(repository)) return null;
  return `${origin}${pathname.replace(/\/+$/, '')}/${repository}/${path.map(encodeURIComponent).join('/')}`;
}
