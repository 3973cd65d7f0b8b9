import { tellingLine } from '../../format/printed-lines.ts';
import { clippedLine, clippedText } from './clipped-text.ts';
import { failureEvent } from './failure-event.ts';

/** What engines and builders say of themselves around a command that failed, and how often a spec is told that a log follows. */
const OF_THE_BUILDER =
  /^(?:-+$|#\d+ |>>> |ERROR: failed to |error: failed to solve|failed to solve|Dockerfile:\d+$|WARNING: |Step \d+|The command .* returned a non-zero code)|did not complete successfully|\bexit (?:code|status):? \d+$|^\s*(?:>+\s*)?\d+ \|/;

/** Sentences that only say that it ended; of who did not answer, or was killed for its memory, they say more than the log does. */
const IS_EXPLAINED_BELOW =
  /^(?!.*\bout of memory\b).*(?:\bexited\b|\bwas ended by\b|\bcannot be built\b|\blast log lines say why\b)/;

/** A sentence that has the file, the line and the error, or the port: what was printed repeats it. */
const SAYS_IT_ALL = /\bThe init SQL failed at \S+:\d+|: (?:port \d+|a port that it listens on) is in use\b/;

/**
 * The line that decides, of a reason whose message is a sentence and, under it, what a program printed last: the compiler's error, or
 * the last words of a service that exited. Where nothing printed says why, the sentence.
 */
export function decidingLine(message: string): string {
  const [sentence = ''] = message.slice(0, 20_000).split(/\r?\n/);
  return clippedLine(inRepository(printedWhy(message) ?? withoutHint(sentence)));
}

/** Of what a program printed, the line that says why it failed; null where none does. */
function printedWhy(message: string): string | null {
  const [sentence = '', ...printed] = message.slice(0, 20_000).split(/\r?\n/);
  if (SAYS_IT_ALL.test(sentence)) return null;
  const said = printed.map((line) => line.trim()).filter((line) => line !== '' && !OF_THE_BUILDER.test(line));
  const last = IS_EXPLAINED_BELOW.test(sentence) ? said.at(-1) : undefined;
  return tellingLine(said) ?? last ?? null;
}

/** What is said of both sides stands in one message, each with what it printed. */
function sidesOf(message: string): string[] {
  const text = message.slice(0, 20_000);
  return /[\r\n]/.test(text) ? text.split(/; (?=(?:baseline|candidate): )/) : [text];
}

/** The sentence of a reason, and behind it the line that decides: `The service exited with status 1: KeyError: …`. */
export function reasonSaid(message: string, columns = 400): string {
  return clippedText(
    sidesOf(message)
      .map((each) => sideSaid(each, columns))
      .join('; '),
    columns,
  );
}

/** What a program printed belongs to what failed, not to what can be done about it. */
const BEFORE_HINT = /(?<=\.) (?=Try it by hand\b)/;

function withoutHint(sentence: string): string {
  return sentence.split(BEFORE_HINT, 1)[0]!;
}

function sideSaid(message: string, columns: number): string {
  const [failed = '', hint = ''] = inRepository(message.slice(0, columns * 4).split(/\r?\n/, 1)[0]!).split(BEFORE_HINT);
  const sentence = clippedLine(failed, columns);
  const why = printedWhy(message);
  const line = why === null ? '' : clippedLine(inRepository(why));
  const isSaid = line === '' || sentence.includes(line);
  const said = isSaid ? sentence : clippedText(`${sentence.replace(/[.:]$/, '')}: ${line}`, columns);
  // A command is shown whole, or not at all.
  const whole = `${isSaid ? said : said.replace(/[.:]?$/, '.')} ${hint}`;
  return hint === '' || whole.length > columns ? said : whole;
}

/**
 * In a first line: what befell whom, and the line that decides: `baseline: api exited with status 1 before it was ready: KeyError: …`,
 * `api does not build: main.go:12:2: undefined: shop`; else the beginning of the sentence. Whom no side is named of is the candidate.
 */
export function reasonInShort(message: string): string {
  const first = sidesOf(message)[0]!.replace(/^candidate: /, '');
  const [whole = ''] = first.slice(0, 800).split(/\r?\n/);
  const event = failureEvent(whole);
  const why = printedWhy(first) ?? event?.why ?? null;
  const what = event?.what ?? ownerIn(whole);
  if (why !== null && what !== '') return `${what}: ${firstSentences(clippedLine(inRepository(why)))}`;
  return event?.what ?? firstSentences(clippedLine(inRepository(withoutHint(whole))));
}

/** Whether `reasonInShort` names what befell whom, or has what was printed under the sentence of it. */
export function isExplained(message: string): boolean {
  return failureEvent(message.split(/\r?\n/, 1)[0]!) !== null || (/[\r\n]/.test(message) && ownerIn(message) !== '');
}

const SHORT = 160;

/** As many as a first line has room for, which leaves out what to do about it. */
function firstSentences(text: string): string {
  const [first = '', ...others] = text.split(/(?<=\.) (?=[A-Z])/);
  let kept = first;
  for (const sentence of others) {
    if (kept.length + sentence.length >= SHORT) break;
    kept += ` ${sentence}`;
  }
  return kept;
}

/**
 * Where runners check a repository out, GitHub's own and those of others, and where this program checks a baseline out: nobody who reads
 * a comment has these folders, and what stands behind them is a path of the repository.
 */
const CHECKOUT =
  /(?<![\w./-])(?:\/[\w.-]+)*\/(?:(?:work|_work|__w)\/([\w.-]+)\/\1|github\/workspace|wrkbench-worktree-[\w.-]+\/wrkbench-baseline)(?:(\/)(?=[^\s"'`),:;])|\/?(?![\w.-]))/g;

/** Paths of the checkout as the repository has them; its own folder is `.`, since a command that names it needs a word there. */
export function inRepository(text: string): string {
  return text.replace(CHECKOUT, (_, __, inside: string | undefined) => (inside === undefined ? '.' : ''));
}

/** Whose it is, as a reason's sentence begins: `candidate: api: The service exited …` is `candidate: api`. Empty where it does not. */
export function ownerIn(message: string): string {
  return /^(?:(?:baseline|candidate): )?[\w.-]{1,100}(?=: )/.exec(message)?.[0] ?? '';
}
