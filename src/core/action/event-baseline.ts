/** What the event of a workflow compares with, where neither its inputs nor a pull request say so. */
export interface EventFacts {
  event: string;
  /** `refs/tags/v1.5.0` */
  ref: string;
  /** `gate.anchor` of the spec; null where it names none. */
  anchor: string | null;
  /** The tag before the one of `ref`, in its history; null where there is none. */
  previousTag: string | null;
}

/**
 * On a schedule nothing was pushed since yesterday that a run of its own did not measure: what small steps come to since a
 * release is what is left to see. A release is held against the one before. Null for what the spec says itself.
 */
export function eventBaseline({ event, ref, anchor, previousTag }: EventFacts): string | null {
  if (event === 'schedule') return anchor;
  if (event === 'release' || (event === 'push' && ref.startsWith('refs/tags/'))) {
    return previousTag === null ? null : `commit:${previousTag}`;
  }
  return null;
}
