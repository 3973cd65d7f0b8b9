/** What the event of a workflow compares with, where neither its inputs nor a pull request say so. */
export interface EventFacts {
  event: string;
  /** `refs/tags/v1.5.0` */
  ref: string;
  /** The tag before the one of `ref`, in its history; null where there is none. */
  previousTag: string | null;
}

/** A release is held against the one before. Null for what the spec says itself. */
export function eventBaseline({ event, ref, previousTag }: EventFacts): string | null {
  if (event === 'release' || (event === 'push' && ref.startsWith('refs/tags/'))) {
    return previousTag === null ? null : `commit:${previousTag}`;
  }
  return null;
}

/**
 * Whether a run measures what is the same on both sides. On a schedule nothing was pushed since yesterday that a run of its own did not
 * measure: what small steps come to since the anchor is what is left to see, and the anchor is compared with after a run that measured.
 */
export function measuresTheSame({ event, anchor }: { event: string; anchor: string | null }): boolean {
  return event === 'schedule' && anchor !== null;
}
