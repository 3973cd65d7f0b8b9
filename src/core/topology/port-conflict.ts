/** A part could not listen, since somebody does already; `port` is null where what it printed does not name it. */
export interface PortConflict {
  port: number | null;
}

/** Code of what became of such a part. */
export const PORT_IN_USE = 'port-in-use';

/** Who listens on a port of this machine. */
export interface PortHolder {
  /** `node (process 4711)` */
  who: string;
  /** A run started it: in a comparison the other side. */
  isOfRun: boolean;
}

/** As the systems' own words go, and those of servers that have words of their own for it. */
const IN_USE =
  /address (?:is )?already in use|EADDRINUSE|\bAddrInUse\b|\bport (?:\d+ )?(?:is|was) (?:already )?in use|\bconnection in use: |only one usage of each socket address/i;

/** Behind an address, or in words: `127.0.0.1:80`, `[::]:80`, `:::80`, `*:80`, `localhost:80`, `('0.0.0.0', 80)`, `port 80`. */
const NAMED = [
  /(?:\d{1,3}(?:\.\d{1,3}){3}|\]|::|\*|localhost|\s):(\d{1,5})(?![\d.])/i,
  /['"], (\d{1,5})\b/,
  /\bport:? ?(\d{1,5})\b/i,
];

/** What a part printed last of a port that was not free; null where nothing of it is about that. */
export function portConflict(logLines: readonly string[]): PortConflict | null {
  const at = logLines.findIndex((line) => IN_USE.test(line.slice(0, LONGEST)));
  if (at < 0) return null;
  // Some name it one line further down: `Is another postmaster already running on port 5432?`.
  for (const line of logLines.slice(at, at + 3)) {
    const port = namedPort(line.slice(0, LONGEST));
    if (port !== null) return { port };
  }
  return { port: null };
}

/** Characters of a line that are looked at. */
const LONGEST = 2000;

function namedPort(line: string): number | null {
  for (const form of NAMED) {
    const port = Number(form.exec(line)?.[1]);
    if (port >= 1 && port <= 65_535) return port;
  }
  return null;
}

/** Where a part listens: among the processes of this machine, or in a container or a network that is its own. */
export type PortPlace = { kind: 'machine'; holderOf(port: number): PortHolder | null } | { kind: 'own' };

const OWN_PORT =
  'give the port a name under `ports` of the service, and write `${ports.NAME}` into its command or env, so that each start gets a free one';

/** As the end of a sentence, and what to do, as others: `port 8080 is in use, by node (process 4711). End that process, or …`. */
export function portConflictWords({ port }: PortConflict, place: PortPlace): string {
  const which = port === null ? 'a port that it listens on is in use' : `port ${port} is in use`;
  if (place.kind === 'own') {
    return `${which}, by another program in the same container or network. Give one of the two another port.`;
  }
  if (port === null) return `${which}. See who listens there (ss -ltnp) and end it, or ${OWN_PORT}.`;
  const holder = place.holderOf(port);
  if (holder === null) {
    return `${which}, and nobody listens there any more: what had it has ended meanwhile. Start the run again; where that happens again, ${OWN_PORT}.`;
  }
  return holder.isOfRun
    ? `${which}, by ${holder.who}, which a run has started, such as the other side of this comparison: ${OWN_PORT}.`
    : `${which}, by ${holder.who}. End that process, or ${OWN_PORT}.`;
}
