/**
 * Whether a glob stands for the whole of a name: `*` is any text, `/` too, or none; `?` one character; `{a,b}` either.
 * Globs of files have the same braces, and a `*` that stays within a folder: see `pathFilter`.
 */
export function matchesGlob(glob: string, text: string): boolean {
  return expandedBraces(glob).some((pattern) => matchesPattern(pattern, text));
}

/** More are plain text: each is held against every case. */
const MOST_EXPANDED = 256;

/** What a glob stands for without braces: `db-{read,write}` for two. Braces without a comma are plain text, as `{id}` in a path. */
export function expandedBraces(glob: string): string[] {
  if (!glob.includes('{')) return [glob];
  const expanded: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const options = firstBraces(next);
    if (options === null) expanded.push(next);
    if (expanded.length + open.length + (options?.length ?? 0) > MOST_EXPANDED) return [glob];
    // From the back, so that they come out in their order.
    open.push(...(options ?? []).reverse());
  }
  return [...new Set(expanded)];
}

/** The glob with each of what the braces that close first stand for; null where it has none. */
function firstBraces(glob: string): string[] | null {
  const opened: { at: number; commas: number[] }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const innermost = opened.at(-1);
    if (glob[at] === '{') opened.push({ at, commas: [] });
    else if (glob[at] === ',') innermost?.commas.push(at);
    else if (glob[at] === '}' && opened.pop() !== undefined && innermost!.commas.length > 0) {
      const ends = [...innermost!.commas, at];
      const begins = [innermost!.at, ...innermost!.commas];
      const [before, after] = [glob.slice(0, innermost!.at), glob.slice(at + 1)];
      return ends.map((end, index) => `${before}${glob.slice(begins[index]! + 1, end)}${after}`);
    }
  }
  return null;
}

/**
 * The same of a pattern without braces. Each part between stars is looked for behind the one before it, and never again: what is found first leaves most for the rest.
 */
function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return first.length === text.length && fitsAt(first, text, 0);
  const end = text.length - last.length;
  if (first.length > end || !fitsAt(first, text, 0) || !fitsAt(last, text, end)) return false;
  const long = longPartFinder(text);
  let from = first.length;
  for (const part of parts) {
    const at = part.length > LONG_PART ? long(part, from, end) : firstFit(part, text, from, end);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** Whether a list of globs of names holds an endpoint; a list that is absent holds them all. */
export function isAsked(globs: readonly string[] | undefined, { name }: { name: string }): boolean {
  return globs === undefined || globs.some((glob) => matchesGlob(glob, name));
}

/** Up to here the plain way takes at most so many steps for each character of the text. */
const LONG_PART = 32;
const WORD = 32;

function fitsAt(part: string, text: string, at: number): boolean {
  for (let index = 0; index < part.length; index++) {
    if (part[index] !== '?' && part[index] !== text[at + index]) return false;
  }
  return true;
}

/** Where the part fits first from `from` on, all of it before `end`; -1 where nowhere. */
function firstFit(part: string, text: string, from: number, end: number): number {
  for (let at = from; at + part.length <= end; at++) if (fitsAt(part, text, at)) return at;
  return -1;
}

/**
 * The same for parts of any length: 32 places at once, so that a long pattern from a pull request cannot make it slow. One bit
 * for each place in the text says whether the part may begin there; each of its characters takes away the places that lack it.
 */
function longPartFinder(text: string): (part: string, from: number, end: number) => number {
  let places: Map<string, number[]> | null = null;
  const has = new Uint32Array(Math.ceil(text.length / WORD) + 1);
  return (part, from, end) => {
    places ??= placesOf(text);
    const begins = new Uint32Array(has.length).fill(0xffff_ffff);
    for (const [character, offsets] of placesOf(part)) {
      if (character === '?') continue;
      has.fill(0);
      for (const place of places.get(character) ?? []) has[Math.floor(place / WORD)]! |= 1 << (place % WORD);
      for (const offset of offsets) keepWhere(has, offset, begins);
    }
    for (let at = from; at + part.length <= end; at++) {
      if (((begins[Math.floor(at / WORD)]! >>> (at % WORD)) & 1) === 1) return at;
    }
    return -1;
  };
}

/** Each character with the places that it stands at. */
function placesOf(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at < text.length; at++) {
    const known = places.get(text[at]!);
    if (known === undefined) places.set(text[at]!, [at]);
    else known.push(at);
  }
  return places;
}

/** Keeps the places of `begins` that have a place of `has` so far behind them. */
function keepWhere(has: Uint32Array, offset: number, begins: Uint32Array): void {
  const words = Math.floor(offset / WORD);
  const bits = offset % WORD;
  // The last word is empty.
  const inside = Math.max(0, has.length - words - 1);
  begins.fill(0, inside);
  for (let word = 0; word < inside; word++) {
    const low = has[word + words]! >>> bits;
    begins[word]! &= bits === 0 ? low : low | (has[word + words + 1]! << (WORD - bits));
  }
}
