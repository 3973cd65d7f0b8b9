const NAME_SERVER = /^\s*nameserver\s+(\S+)/;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/i;

/**
 * What a container is given as /etc/resolv.conf, so that it asks the machine's own name servers: the first of `texts` (null where
 * there is none) that names a server which is reached from there, without those at loopback addresses, such as systemd-resolved's
 * 127.0.0.53: in the container that is itself. Null where all of them are of that kind.
 */
export function resolvConfForContainers(texts: readonly (string | null)[]): string | null {
  const reaching = texts.find((text) => serversIn(text ?? '').some((server) => !LOOPBACK.test(server)));
  if (reaching === undefined || reaching === null) return null;
  return reaching
    .split('\n')
    .filter((line) => !LOOPBACK.test(NAME_SERVER.exec(line)?.[1] ?? ''))
    .join('\n');
}

function serversIn(text: string): string[] {
  return text.split('\n').flatMap((line) => NAME_SERVER.exec(line)?.[1] ?? []);
}
