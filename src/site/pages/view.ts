import type { Manifest, SeriesCase, SeriesMetric } from '../../core/publication/manifest.ts';
import type { PublishedTexts } from '../../core/publication/raw-text.ts';
import type { SeriesPiece } from '../../core/publication/series-piece.ts';
import type { RunRecord } from '../../core/record/run-record.ts';

/** What a view is asked to show, as the address has it: `?view=trend&case=…&metric=…`. Another key is kept and means nothing. */
export type State = ReadonlyMap<string, string>;

/** One of the pages of a spec. They share a document, so that going from one to another loads nothing again. */
export interface View {
  name: string;
  /** Of its tab. */
  title: string;
  /**
   * Draws what `state` says; called again, with an empty `into`, whenever the address changes. Rejects with
   * `UnreadableData`, which the page shows in place of the view.
   */
  show(into: HTMLElement, state: State, page: Page): Promise<void>;
}

export interface Page {
  data: SpecData;
  /**
   * Changes the address; null takes a key out. `replace` for what no one wants to go back to; `note` for what the view has shown
   * already, as each step of a slider: it is not called again.
   */
  go(changes: Readonly<Record<string, string | null>>, how?: 'push' | 'replace' | 'note'): void;
  /** The address of a state, for links that can be opened beside this page. */
  href(changes: Readonly<Record<string, string | null>>): string;
  /** Tells people who cannot see the page what happened on it. */
  announce(sentence: string): void;
}

/** What the data branch holds of a spec; each file is fetched once. All of it may come from anybody and is checked as it is read. */
export interface SpecData {
  manifest: Manifest;
  /** The runs that count, the newest ones without a gap as far as they were fetched, oldest first. */
  runs(): readonly RunEntry[];
  /** Fetches runs, the newest first, until `enough` holds or there are no more; `about`: so many at once, to begin with. */
  fetchRuns(enough: (fetched: readonly RunEntry[]) => boolean, about?: number): Promise<void>;
  /** The run as it was published. Rejects with `UnreadableData`. */
  run(entry: Pick<RunEntry, 'id' | 'sha' | 'workflowRun'>): Promise<RunRecord>;
  /** What its generators printed, of a run that says that it lies beside it. Rejects with `UnreadableData`. */
  rawTexts(entry: Pick<RunEntry, 'id' | 'sha' | 'workflowRun'>): Promise<PublishedTexts>;
}

export interface RunEntry {
  id: string;
  /** Milliseconds since 1970, UTC. */
  at: number;
  sha: string | null;
  workflowRun: number | null;
  pullRequest: number | null;
  release: string | null;
  cpu: string;
  passed: boolean | null;
  /** How it was compared: side by side, in turn, or with the numbers of earlier runs. */
  mode: 'duet' | 'interleaved' | 'stored' | null;
  /** Name of the anchor that it was compared with as well. */
  anchor: string | null;
  imported: boolean;
  accepted: readonly { cases: string; metric: string | null; reason: string }[];
  /** Where it stands in its piece. */
  piece: SeriesPiece;
  place: number;
}

/** One line of a trend. */
export interface SeriesName {
  case: SeriesCase;
  metric: SeriesMetric;
}

/** Data of the branch is missing, cut off, of a newer wrkbench or no data of ours; the message is a sentence for people. */
export class UnreadableData extends Error {
  override name = 'UnreadableData';
}

/** A file did not arrive: it may the next time, so people are offered to try again. */
export class UnloadedData extends UnreadableData {
  override name = 'UnloadedData';
}
