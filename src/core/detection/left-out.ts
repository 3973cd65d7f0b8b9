/** What is there and the spec does without, in as few lines as somebody reads. */

/** In the order in which it matters. */
const KINDS = ['broken', 'needed', 'secret', 'service', 'database', 'variable', 'file', 'other', 'route'] as const;

/** What kind of thing is left out, which decides where it stands; `other` where nothing is said. */
type LeftOutKind = (typeof KINDS)[number];

export interface LeftOut {
  what: string;
  /** With what that means. */
  why: string;
  kind?: LeftOutKind;
  /** How it is called among others of its reason; as far as its file where nothing is said. */
  short?: string;
}

const MOST_LINES = 12;
/** Names in one line. */
const MOST_NAMES = 5;
const LONGEST_NAME = 80;
const LONGEST_WHAT = 200;
const LONGEST_LINE = 400;

interface Group {
  kind: LeftOutKind;
  reason: string;
  all: LeftOut[];
}

/** A line for each reason, the most important first; what is beyond 12 lines is counted in the last one. */
export function groupedLeftOut(leftOut: readonly LeftOut[]): LeftOut[] {
  const groups = new Map<string, Group>();
  for (const each of leftOut) {
    const { kind = 'other' } = each;
    const reason = reasonOf(each);
    const key = `${kind}\n${reason}`;
    const group = groups.get(key) ?? { kind, reason, all: [] };
    // The same may be found from two sides.
    if (!group.all.some(({ what }) => what === each.what)) group.all.push(each);
    groups.set(key, group);
  }
  const lines = [...groups.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)).map(lineOf);
  if (lines.length <= MOST_LINES) return lines;
  const shown = lines.slice(0, MOST_LINES - 1);
  return [...shown, { what: `${lines.length - shown.length} more reasons`, why: 'too many to be listed here' }];
}

/** Without what is of one parameter alone: of 61 routes that lack values nobody reads 61 lines. */
function reasonOf({ why, kind }: LeftOut): string {
  if (kind !== 'route') return why;
  if (/^no file has a value for |^has no example for its parameter/.test(why)) return 'parameter';
  return /\bbody\b/.test(why) ? 'body' : why;
}

const OF_ROUTES: Record<string, string> = {
  parameter: 'routes have parameters that no file has a value for',
  body: 'routes need a body that no file has',
};

function lineOf({ kind, reason, all }: Group): LeftOut {
  const [only] = all as [LeftOut];
  if (all.length === 1) return { what: cut(only.what, LONGEST_WHAT), why: cut(only.why, LONGEST_LINE) };
  const names = all.slice(0, all.length === MOST_NAMES + 1 ? MOST_NAMES + 1 : MOST_NAMES).map(shortName);
  const rest = all.length - names.length;
  const list = rest === 0 ? names.join(', ') : `${names.join(', ')} and ${rest} more`;
  const several = kind === 'route' ? OF_ROUTES[reason] : undefined;
  return several === undefined
    ? { what: list, why: cut(reason, LONGEST_LINE) }
    : { what: `${all.length} ${several}`, why: list };
}

function shortName({ what, short }: LeftOut): string {
  return cut(short ?? what.replace(/ \([^()]*\)$/, ''), LONGEST_NAME);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
