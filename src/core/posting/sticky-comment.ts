import { escapeHtmlText, escapeText } from '../report/markdown/escape.ts';
import { isOlder, type RunOrder } from './run-order.ts';

/**
 * One comment for all specs of a repository, whoever of them was measured last:
 *
 *     <!-- wrkbench: comment 1 -->
 *     ### 🔴 api: Regression in 1 of 4 endpoints …          the most severe of all, or the only one
 *     …
 *     <!-- wrkbench: begin api run=7301 attempt=1 sha=9d0e… weight=0 -->
 *     ### 🔴 Regression in 1 of 4 endpoints …
 *     …
 *     <!-- wrkbench: end -->
 *
 * What stands between two of these lines is kept as it is until a later run of that spec writes it anew. What comes from a
 * spec, a server or a branch is escaped where it is made, but in a block of code, where Markdown shows it as it is: `unmarked`
 * keeps each line of a section from being one of these.
 */
const FIRST = '<!-- wrkbench: comment 1 -->';
const BEGIN =
  /^<!-- wrkbench: begin ([a-z0-9][a-z0-9._-]{0,63}) run=(\d{1,18}) attempt=(\d{1,6}) sha=([0-9a-f]{40,64}) weight=(\d{1,3}) -->$/;
const END = '<!-- wrkbench: end -->';

/** Characters of a comment that GitHub takes. */
export const LONGEST_COMMENT = 65_536;
/** For what is around the sections. */
const FRAME = 2_000;

/** What one spec says in it. A later run, or attempt of it, takes the place of an earlier one. */
export interface CommentSection extends RunOrder {
  specName: string;
  /** Head of the pull request that was measured. */
  sha: string;
  /** Place in `bySeverity`: 0 is the most severe. */
  weight: number;
  /** One line of Markdown with its mark. */
  headline: string;
  /** Markdown. */
  body: string;
}

/** Its sections, in the order of the text; null for a comment of somebody else's making. */
export function readComment(text: string): CommentSection[] | null {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines[0] !== FIRST) return null;
  const sections: CommentSection[] = [];
  let open: { section: CommentSection; lines: string[] } | null = null;
  for (const line of lines) {
    const [, specName, run, attempt, sha, weight] = BEGIN.exec(line) ?? [];
    if (specName !== undefined) {
      const figures = { run: Number(run), attempt: Number(attempt), sha: sha!, weight: Number(weight) };
      open = { section: { specName, ...figures, headline: '', body: '' }, lines: [] };
    } else if (line === END && open !== null) {
      const [heading = '', ...body] = open.lines;
      const headline = heading.replace(/^### /, '');
      sections.push({ ...open.section, headline, body: body.join('\n').trim() });
      open = null;
    } else open?.lines.push(line);
  }
  return sections;
}

/**
 * What the comment is to be: own sections in place of earlier ones of the same specs, the others as they were. Null where
 * nothing of it is new: a later run has said something already.
 */
export function mergedSections(
  held: readonly CommentSection[],
  own: readonly CommentSection[],
): CommentSection[] | null {
  const fresh = own.filter((section) => {
    const before = held.find(({ specName }) => specName === section.specName);
    return before === undefined || !isOlder(section, before);
  });
  if (fresh.length === 0) return null;
  const others = held.filter(({ specName }) => fresh.every((section) => section.specName !== specName));
  return [...others, ...fresh].sort(
    (one, other) => one.weight - other.weight || (one.specName < other.specName ? -1 : 1),
  );
}

/** Characters that each of so many sections may take. */
export function sectionLength(sections: number): number {
  return Math.floor((LONGEST_COMMENT - FRAME) / Math.max(1, sections)) - 400;
}

/** Always shorter than `LONGEST_COMMENT`: what has no place any more is left out, the lightest first, and it is said. */
export function commentText(sections: readonly CommentSection[]): string {
  const kept = [...sections];
  for (let dropped = 0; ; dropped += 1) {
    const bodies = kept.map((section, index) =>
      index >= kept.length - dropped ? { ...section, body: NO_ROOM } : section,
    );
    const text = written(bodies);
    if (text.length < LONGEST_COMMENT || dropped >= kept.length) return text.slice(0, LONGEST_COMMENT - 1);
  }
}

const NO_ROOM = 'There was no room for the details: they are in the report of the run.';

function written(sections: readonly CommentSection[]): string {
  const single = sections.length === 1;
  const [mostSevere] = sections;
  const overview = single
    ? []
    : [
        `### ${mostSevere!.headline.replace(' ', () => ` ${escapeText(mostSevere!.specName)}: `)}`,
        sections.map(({ specName, headline }) => `- **${escapeText(specName)}**: ${headline}`).join('\n'),
      ];
  return `${[FIRST, ...overview, ...sections.map((section) => sectionText(section, single))].join('\n\n').replace('\n\n', '\n')}\n`;
}

function sectionText(section: CommentSection, single: boolean): string {
  const { specName, run, attempt, sha, weight } = section;
  const [headline, body] = [section.headline, section.body].map(unmarked);
  const begin = `<!-- wrkbench: begin ${specName} run=${run} attempt=${attempt} sha=${sha} weight=${weight} -->`;
  const text = [begin, `### ${headline}`, '', body, END].join('\n');
  return single ? text : `<details><summary>${escapeHtmlText(specName)}</summary>\n\n${text}\n\n</details>`;
}

/** A space before each line that begins like one of ours, which a reader of a block of code sees. */
function unmarked(text: string): string {
  return text.replace(/^(?=<!-- wrkbench:)/gm, ' ');
}
