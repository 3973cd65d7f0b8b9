/** What befell a service, in a few words for a first line, and why where the sentence itself says that. */
export interface FailureEvent {
  /** `candidate: api exited with status 1 before it was ready`, `api does not build`. */
  what: string;
  why: string | null;
}

/** A sentence of others may go on for megabytes. */
const MOST_CHARACTERS = 800;

const SIDE = /^(?:baseline|candidate): /;
/** What all rounds came to, before what befell the last one. */
const GAVE_UP = /^Rounds fell over.{1,200}? The last time: /;
const OWNER = /^([\w.-]{1,100}): /;
const ENDED =
  /^(?:The service|Service ([\w.-]{1,100})|(The [a-z]{1,20})) ((?:exited with status|was ended by) \w{1,12}(?: before it was ready)?)\b/;
/** Its sentence says so itself, and what was printed repeats it. */
const PORT_IN_USE = /^: ((?:port \d+|a port that it listens on) is in use\b.*)/;
const NOT_BUILT =
  /^(The baseline is .*)?.*\bThe image of service ([\w.-]{1,100}) (?:cannot be built from\b(.*)|is not built: (.*))/;
/** What the engine said, between brackets: `(docker build --force-rm: COPY failed: no such file). Try it by hand: …`. */
const ENGINE_SAID = /^.{1,400}? \((?:docker [^:]{1,80}: )?(.+?)\)\. Try it by hand\b/;

/** Of the sentence of a reason; null where that is none of these. */
export function failureEvent(text: string): FailureEvent | null {
  const sentence = text.slice(0, MOST_CHARACTERS);
  const [side = ''] = SIDE.exec(sentence) ?? [];
  const rest = sentence.slice(side.length).replace(GAVE_UP, '');
  const [, ofBaseline, unbuilt, from = '', problem] = NOT_BUILT.exec(rest) ?? [];
  if (unbuilt !== undefined) {
    const whose = ofBaseline === undefined ? side : 'baseline: ';
    return { what: `${whose}${unbuilt} does not build`, why: problem ?? ENGINE_SAID.exec(from)?.[1] ?? null };
  }
  const [prefix = '', owner] = OWNER.exec(rest) ?? [];
  const [ended = '', named = owner, part, how] = ENDED.exec(rest.slice(prefix.length)) ?? [];
  if (how === undefined) return null;
  const why = PORT_IN_USE.exec(rest.slice(prefix.length + ended.length))?.[1] ?? null;
  if (part !== undefined) return { what: `${side}${prefix}${part.replace('The', 'the')} ${how}`, why };
  return named === undefined ? null : { what: `${side}${named} ${how}`, why };
}
