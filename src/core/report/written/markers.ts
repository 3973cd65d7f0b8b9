import { nearest } from '../../config/nearest.ts';
import { quoted } from '../../format/quoted.ts';
import { UserError } from '../../user-error.ts';

/**
 * What a written report is made of. What stands between the markers of a block or a value is made anew; every other character is
 * the author's and stays:
 *
 *     <!-- wrkbench:begin results only="ping" -->
 *     …
 *     <!-- wrkbench:end -->
 *
 *     It answers <!-- wrkbench:value go/ping/direct/wrk/keep-alive/100 throughput -->114,873<!-- /wrkbench:value --> requests/s.
 *
 * Markers in code, fenced or between backticks, are text.
 */
export type Part = AuthorsText | BlockPart | ValuePart;

interface AuthorsText {
  kind: 'text';
  text: string;
}

export interface BlockPart {
  kind: 'block';
  name: string;
  /** `only="ping"`, or `heading` without a value, which is null. */
  options: ReadonlyMap<string, string | null>;
  line: number;
  /** Both lines as they stand there, the first with its line break. */
  begin: string;
  end: string;
}

interface ValuePart {
  kind: 'value';
  /** `go/ping/direct/wrk/keep-alive/100 throughput` as words. */
  words: readonly string[];
  line: number;
  open: string;
  close: string;
}

/** A marker cannot be understood; the message is a sentence without the place, which is `line`. */
export class BadMarker extends UserError {
  override name = 'BadMarker';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Also in a list or a quote. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/;

/** Throws `BadMarker`. What the parts say in their order is the text. */
export function readParts(text: string): Part[] {
  const parts: Part[] = [];
  let own = '';
  let ownLine = 1;
  let fence: string | null = null;
  let block: Omit<BlockPart, 'end'> | null = null;
  const flush = () => {
    if (own !== '') parts.push(...inlineParts(own, ownLine));
    own = '';
  };
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    const said: string[] | null = block !== null || fence === null ? saidAlone(line) : null;
    if (block !== null) {
      if (said?.[0] === 'wrkbench:end') {
        refuseOtherEnd(block, said[1], number);
        parts.push({ ...block, end: line });
        block = null;
      } else if (said?.[0] === 'wrkbench:begin') {
        throw new BadMarker(
          number,
          `a block begins within the block ${quoted(block.name)} of line ${block.line}, which has not ended: add <!-- wrkbench:end --> above`,
        );
      }
      ownLine = number + 1;
      continue;
    }
    const fenced: string | undefined = /[`~]/.test(line) ? FENCE.exec(line.trimEnd())?.[1] : undefined;
    if (fence !== null || fenced !== undefined) {
      flush();
      parts.push({ kind: 'text', text: line });
      ownLine = number + 1;
      if (fence === null) fence = fenced!;
      else if (fenced?.startsWith(fence) && line.trimEnd().endsWith(fenced)) fence = null;
    } else if (said?.[0] === 'wrkbench:begin') {
      flush();
      block = { kind: 'block', ...blockHead(said.slice(1), number), line: number, begin: line };
    } else {
      own += line;
    }
  }
  if (block !== null) {
    throw new BadMarker(
      block.line,
      `the block ${quoted(block.name)} does not end: add a line <!-- wrkbench:end --> below what it stands for`,
    );
  }
  flush();
  return withTextsJoined(parts);
}

function withTextsJoined(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let texts: string[] = [];
  const flush = () => {
    if (texts.length > 0) joined.push({ kind: 'text', text: texts.join('') });
    texts = [];
  };
  for (const part of parts) {
    if (part.kind === 'text') texts.push(part.text);
    else {
      flush();
      joined.push(part);
    }
  }
  flush();
  return joined;
}

/** The words of a comment that has the line for itself, and is not indented as code; null for any other line. */
function saidAlone(line: string): string[] | null {
  const [indent] = line.includes('wrkbench:') ? (/^ {0,3}(?=<!--)/.exec(line) ?? []) : [];
  const trimmed = line.trimEnd();
  if (indent === undefined || trimmed.indexOf('-->') !== trimmed.length - 3) return null;
  return trimmed
    .slice(indent.length + 4, -3)
    .trim()
    .match(/(?:[^\s"]|"[^"]*"?)+/g);
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function refuseOtherEnd({ name, line }: { name: string; line: number }, ended: string | undefined, at: number): void {
  if (ended === undefined || ended === name) return;
  throw new BadMarker(at, `${quoted(ended)} ends here, and the block that began in line ${line} is ${quoted(name)}`);
}

const OPTION = /^([a-z][a-z-]*)(?:=(?:"([^"]*)"|([^\s"=]+)))?$/;

function blockHead([name, ...words]: readonly string[], line: number): Pick<BlockPart, 'name' | 'options'> {
  if (name === undefined) throw new BadMarker(line, 'a block has no name: write it as <!-- wrkbench:begin results -->');
  const options = new Map<string, string | null>();
  for (const word of words) {
    const [, option, inQuotes, plain] = OPTION.exec(word) ?? [];
    if (option === undefined) {
      throw new BadMarker(line, `${quoted(word)} is not understood: options are as only="ping", or heading`);
    }
    if (options.has(option)) throw new BadMarker(line, `the option ${quoted(option)} stands there twice`);
    options.set(option, inQuotes ?? plain ?? null);
  }
  return { name, options };
}

/** Of text between blocks: what the author wrote, and the values in it. */
function inlineParts(text: string, firstLine: number): Part[] {
  const parts: Part[] = [];
  const comments = markerComments(text);
  const lineAt = lineFinder(text, firstLine);
  let from = 0;
  for (let index = 0; index < comments.length; index += 1) {
    const comment = comments[index]!;
    const line = lineAt(comment.from);
    const words = comment.said.split(/\s+/);
    if (words[0] !== 'wrkbench:value') throw strayMarker(words[0]!, line);
    if (beginsLine(text, comment.from)) {
      throw new BadMarker(
        line,
        'a value begins its line, which Markdown then takes for HTML: let a word stand before it',
      );
    }
    const close = comments[index + 1];
    if (close?.said !== '/wrkbench:value' || /\n[ \t]*\r?\n/.test(text.slice(comment.to, close.from))) {
      throw new BadMarker(
        line,
        'a value does not end in its paragraph: add <!-- /wrkbench:value --> behind its figure',
      );
    }
    if (words.length === 1) {
      throw new BadMarker(
        line,
        'a value names nothing: write it as <!-- wrkbench:value go/ping/direct/wrk/keep-alive/100 throughput -->',
      );
    }
    parts.push({ kind: 'text', text: text.slice(from, comment.from) });
    const open = text.slice(comment.from, comment.to);
    parts.push({ kind: 'value', words: words.slice(1), line, open, close: text.slice(close.from, close.to) });
    from = close.to;
    index += 1;
  }
  parts.push({ kind: 'text', text: text.slice(from) });
  return parts.filter((part) => part.kind !== 'text' || part.text !== '');
}

/** Behind nothing but what begins a quote or a list's item. */
function beginsLine(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return before.length < 100 && /^[ \t>\ufeff]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/.test(before);
}

function strayMarker(word: string, line: number): BadMarker {
  switch (word) {
    case '/wrkbench:value':
      return new BadMarker(line, 'a value ends here that has not begun');
    case 'wrkbench:end':
      return new BadMarker(line, 'a block ends here that has not begun');
    case 'wrkbench:begin':
      return new BadMarker(
        line,
        'a block begins here within other text: give its marker a line of its own, not indented',
      );
  }
  const known = nearest(word.replace(/^\/?wrkbench:/, ''), ['begin', 'end', 'value']);
  const meant = known === null ? 'There are begin, end and value' : `Is wrkbench:${known} meant`;
  return new BadMarker(line, `the marker ${quoted(word)} is unknown. ${meant}${known === null ? '' : '?'}`);
}

interface MarkerComment {
  from: number;
  to: number;
  /** Between the signs of the comment, trimmed. */
  said: string;
}

const OPENING = /`+|<!--/g;

/** Comments that are ours, without those between backticks. Each character is looked at a few times, however many there are. */
function markerComments(text: string): MarkerComment[] {
  const found: MarkerComment[] = [];
  if (!text.includes('wrkbench:')) return found;
  for (const { from, to } of paragraphsOf(text)) {
    const paragraph = text.slice(from, to);
    const codeEnds = codeEndsIn(paragraph);
    OPENING.lastIndex = 0;
    for (let match = OPENING.exec(paragraph); match !== null; match = OPENING.exec(paragraph)) {
      if (match[0] !== '<!--') {
        OPENING.lastIndex = codeEnds.get(match.index) ?? OPENING.lastIndex;
        continue;
      }
      const end = paragraph.indexOf('-->', match.index + 4);
      // A comment of the author's over several paragraphs.
      if (end === -1) break;
      OPENING.lastIndex = end + 3;
      const said = paragraph.slice(match.index + 4, end).trim();
      if (/^\/?wrkbench:/.test(said)) found.push({ from: from + match.index, to: from + end + 3, said });
    }
  }
  return found;
}

function* paragraphsOf(text: string): Generator<{ from: number; to: number }> {
  let from = 0;
  for (const { index, 0: gap } of text.matchAll(/\n(?=[ \t]*\r?\n)/g)) {
    yield { from, to: index + gap.length };
    from = index + gap.length;
  }
  yield { from, to: text.length };
}

/** Where the code ends that begins at each run of backticks: behind the next run of as many. Absent where it never does. */
function codeEndsIn(paragraph: string): Map<number, number> {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { index, 0: run } of [...paragraph.matchAll(/`+/g)].reverse()) {
    const end = next.get(run.length);
    if (end !== undefined) ends.set(index, end);
    next.set(run.length, index + run.length);
  }
  return ends;
}

function lineFinder(text: string, firstLine: number): (at: number) => number {
  let line = firstLine;
  let seen = 0;
  return (at) => {
    for (; seen < at; seen += 1) if (text[seen] === '\n') line += 1;
    return line;
  };
}
