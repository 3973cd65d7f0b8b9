import type { Manifest } from '../../../core/publication/manifest.ts';
import type { SeriesPiece } from '../../../core/publication/series-piece.ts';
import type { RunEntry } from '../view.ts';

const MODES = new Map<string, NonNullable<RunEntry['mode']>>([
  ['d', 'duet'],
  ['i', 'interleaved'],
  ['s', 'stored'],
]);

/** The runs of a piece that count, oldest first. What a short column does not hold is null, and a run whose id has no time is none. */
export function entriesOf(piece: SeriesPiece, { leftOut, oldest }: Pick<Manifest, 'leftOut' | 'oldest'>): RunEntry[] {
  const out = new Set(leftOut.map(({ id }) => id));
  const accepted = new Map<number, RunEntry['accepted'][number][]>();
  for (const { run, cases, metric, reason } of piece.accepted) {
    accepted.set(run, [...(accepted.get(run) ?? []), { cases, metric, reason }]);
  }
  const { runs, cpus } = piece;
  const entries = runs.id.flatMap((id, place): RunEntry[] => {
    const at = timeOf(id);
    if (at === null || out.has(id) || (oldest !== null && id < oldest && runs.imported[place] !== true)) return [];
    return [
      {
        id,
        at,
        sha: runs.sha[place] ?? null,
        workflowRun: runs.workflowRun[place] ?? null,
        pullRequest: runs.pullRequest[place] ?? null,
        release: runs.release[place] ?? null,
        cpu: cpus[runs.cpu[place] ?? -1] ?? '',
        passed: runs.passed[place] ?? null,
        mode: MODES.get(runs.mode[place] ?? '') ?? null,
        anchor: runs.anchor?.[place] ?? null,
        imported: runs.imported[place] ?? false,
        accepted: accepted.get(place) ?? [],
        piece,
        place,
      },
    ];
  });
  return entries.sort(byId);
}

/** The oldest first, as a comparison to sort by. */
export function byId(one: Pick<RunEntry, 'id'>, other: Pick<RunEntry, 'id'>): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

/** Ids begin with the time, in UTC: `20261120-092802-…`. Null for what begins otherwise. */
function timeOf(id: string): number | null {
  const parts = /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})/.exec(id)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
