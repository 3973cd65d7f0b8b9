import { type CommentSection, commentText, mergedSections, readComment } from '../../core/posting/sticky-comment.ts';
import { type Comment, type Forge, ForgeFailure } from '../ports/forge.ts';

/** `older`: a later run has said something already. `quiet`: there was no comment, and none was wanted. */
export type WrittenComment = { kind: 'written'; url: string } | { kind: 'older'; url: string } | { kind: 'quiet' };

export interface CommentRequest {
  pullRequest: number;
  sections: readonly CommentSection[];
  /** Login that comments are written as. */
  author: string;
  /** A new comment is written; else only one that is there is kept up to date. */
  create: boolean;
}

/** How often a comment that others remove meanwhile is looked for again. */
const ATTEMPTS = 3;
/** How often it is written where others write over it. */
const MOST_WRITES = 5;

/**
 * Writes the sections into the one comment of the pull request. Two reports at once may both find none and create one:
 * after creating, the list is read again, and all that is said moves to the comment with the lowest id.
 * Rejects with `ForgeFailure`.
 */
export async function writeSticky(request: CommentRequest, forge: Forge): Promise<WrittenComment> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await written(request, forge);
    } catch (error) {
      // Removed by somebody between reading and writing it.
      if (!(error instanceof ForgeFailure) || error.status !== 404 || attempt === ATTEMPTS) throw error;
    }
  }
}

async function written(request: CommentRequest, forge: Forge): Promise<WrittenComment> {
  const [first, ...others] = await ownComments(request, forge);
  if (first !== undefined) {
    const done = await updated(first, request.sections, forge);
    await fold(first, others, forge);
    return done;
  }
  if (!request.create) return { kind: 'quiet' };
  const sections = mergedSections([], request.sections)!;
  const created = await forge.createComment(request.pullRequest, commentText(sections));
  // Whoever the token writes as: where that was not known, what it has written before is found only now.
  const [lowest, ...later] = await ownComments({ ...request, author: created.author ?? request.author }, forge);
  if (lowest === undefined) return { kind: 'written', url: created.url };
  const done = await updated(lowest, request.sections, forge);
  // Not only the one just created: a request that was lost on its way back was sent again, and has made another.
  await fold(lowest, later, forge);
  return done;
}

/** By author and by what their first line says, the oldest first. */
async function ownComments({ pullRequest, author }: CommentRequest, forge: Forge): Promise<Comment[]> {
  const all = await forge.comments(pullRequest);
  return all
    .filter((comment) => comment.author === author && readComment(comment.text) !== null)
    .sort((one, other) => one.id - other.id);
}

/**
 * Other reports write to the same comment, and no forge has a write that fails where something was written since it was read. So it is
 * read directly before, and once more after: where another report has written over it what it had read before, it is written again.
 */
async function updated(listed: Comment, own: readonly CommentSection[], forge: Forge): Promise<WrittenComment> {
  let wanted = textWith(listed, own);
  if (typeof wanted !== 'string') return wanted;
  let shown = await forge.comment(listed.id);
  if (shown === null) throw new ForgeFailure(`${listed.url} is not there any more: it was removed meanwhile.`, 404);
  for (let writes = 0; writes < MOST_WRITES; writes += 1) {
    wanted = textWith(shown, own);
    if (typeof wanted !== 'string') return wanted;
    const { url } = await forge.updateComment(shown.id, wanted);
    shown = await forge.comment(shown.id);
    // Who removes what was just written does not want it.
    if (shown === null) return { kind: 'written', url };
  }
  wanted = textWith(shown, own);
  if (typeof wanted !== 'string') return wanted;
  throw new ForgeFailure(
    `${shown.url} was written ${MOST_WRITES} times, and written over by others each time. Run this job again.`,
    null,
  );
}

/** What the comment is to be; where it is that already, or a later run has said something, what came of writing. */
function textWith({ text, url }: Comment, own: readonly CommentSection[]): string | WrittenComment {
  const held = readComment(text) ?? [];
  const merged = mergedSections(held, own);
  if (merged === null) return { kind: 'older', url };
  const wanted = commentText(merged);
  // By what it says: a forge may keep other line ends than were sent.
  const isSaid = held.length > 0 && wanted === commentText(held);
  return isSaid ? { kind: 'written', url } : wanted;
}

/** What other comments of ours say of specs that the first does not name is moved there; then they are removed. */
async function fold(first: Comment, others: readonly Comment[], forge: Forge): Promise<void> {
  for (const other of others) {
    await updated(first, readComment(other.text)!, forge);
    await removed(other, forge);
  }
}

async function removed({ id }: Comment, forge: Forge): Promise<void> {
  await forge.deleteComment(id).catch((error: unknown) => {
    // The other report, which saw the same two, was quicker.
    if (!(error instanceof ForgeFailure) || error.status !== 404) throw error;
  });
}
