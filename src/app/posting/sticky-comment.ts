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

/** How often a comment that others change or remove meanwhile is looked for again. */
const ATTEMPTS = 3;

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

async function updated(comment: Comment, own: readonly CommentSection[], forge: Forge): Promise<WrittenComment> {
  const merged = mergedSections(readComment(comment.text)!, own);
  if (merged === null) return { kind: 'older', url: comment.url };
  const text = commentText(merged);
  if (text === comment.text) return { kind: 'written', url: comment.url };
  const { url } = await forge.updateComment(comment.id, text);
  return { kind: 'written', url };
}

/** What other comments of ours say of specs that the first does not name is moved there; then they are removed. */
async function fold(first: Comment, others: readonly Comment[], forge: Forge): Promise<void> {
  for (const other of others) {
    await updated(await again(first, forge), readComment(other.text)!, forge);
    await removed(other, forge);
  }
}

/** With what it says by now: it was written to a moment ago. */
async function again(comment: Comment, forge: Forge): Promise<Comment> {
  return (await forge.comment(comment.id)) ?? comment;
}

async function removed({ id }: Comment, forge: Forge): Promise<void> {
  await forge.deleteComment(id).catch((error: unknown) => {
    // The other report, which saw the same two, was quicker.
    if (!(error instanceof ForgeFailure) || error.status !== 404) throw error;
  });
}
