import type { Forge } from '../ports/forge.ts';
import type { PageLinks } from './page-links.ts';

/** When a pull request gets a comment; one that is there is kept up to date whatever this says, but with `never`. */
export type CommentWish = 'always' | 'change' | 'regression' | 'never';

export interface Reporter {
  forge: Forge;
  comment: CommentWish;
  /** Login that comments are written as. */
  author: string;
  status: boolean;
  check: boolean;
  /** Markdown for the summary of the job. */
  summary(text: string): Promise<void>;
  pageLinks: PageLinks;
  /** Where the files of a run can be had, `report.html` among them; null where nowhere. */
  artifactUrl(run: { url: string }, artifact: number): string | null;
  warn(text: string): void;
}
