import type { Diagnostic } from '../../core/config/diagnostics.ts';

export interface JobAnnotation {
  level: 'warning' | 'notice';
  title: string;
  message: string;
  /** Path in the repository; '' for none. */
  file: string;
}

/** The workflow job that this runs in, as far as it can be told something. */
export interface Job {
  output(name: string, value: string): void;
  /** Markdown, added to what the job's page shows. */
  summary(text: string): Promise<void>;
  /** At a line of a file of the checkout. */
  diagnostic(diagnostic: Diagnostic): void;
  warn(text: string): void;
  /** At a file of the checkout, where one is named. */
  annotate(annotation: JobAnnotation): void;
  error(text: string): void;
  say(text: string): void;
  group<T>(title: string, inside: () => Promise<T>): Promise<T>;
  /**
   * Keeps a folder beside the run, under a name; null where there is no place for it, which is told. Never rejects: what is
   * measured is judged all the same.
   */
  upload(name: string, folder: string): Promise<{ id: number } | null>;
  /** Hides a text in the log, wherever it stands. */
  mask(secret: string): void;
  /** Kept for the step that runs after the job. */
  remember(name: string, value: string): void;
}
