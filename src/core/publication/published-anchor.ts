import { anchorName } from '../baseline/anchor-name.ts';
import type { AnchorComparison, CaseComparison } from '../comparison/comparison.ts';
import { sinceOf } from '../comparison/since-anchor.ts';
import type { PublishedAnchor, RunRecord } from '../record/run-record.ts';

/**
 * What is kept of a comparison with the anchor: how far each endpoint is from it, over its cases, or each case of a metric that is not
 * judged so.
 */
export function publishedAnchor(anchor: AnchorComparison, record: RunRecord): PublishedAnchor {
  const places = new Set(anchor.endpoints.flatMap((each) => Object.keys(each.metrics).map((name) => of(each, name))));
  return {
    name: anchorName(record) ?? 'the anchor',
    sha: anchor.baseline.sha,
    changes: [
      ...anchor.endpoints.map((each) => changesOf(each, anchor, () => true)),
      ...anchor.cases.map((each) => changesOf(each, anchor, (name) => !places.has(of(each, name)))),
    ].filter(({ metrics }) => Object.keys(metrics).length > 0),
  };
}

/** Names a metric of an endpoint. */
function of({ service, endpoint }: CaseComparison, metric: string): string {
  return JSON.stringify([service, endpoint, metric]);
}

function changesOf(
  { key, service, endpoint, metrics }: CaseComparison,
  anchor: AnchorComparison,
  isKept: (metric: string) => boolean,
): PublishedAnchor['changes'][number] {
  const kept = Object.entries(metrics).flatMap(([name, { change }]) => {
    if (change === null || !isKept(name)) return [];
    const since = sinceOf(anchor, key, name);
    const accepted = since === null || since.runs === 0 ? {} : { accepted: rounded(since.accepted), runs: since.runs };
    return [[name, { change: rounded(change), ...accepted, ...(since?.crept ? { crept: true as const } : {}) }]];
  });
  return { key, service, endpoint, metrics: Object.fromEntries(kept) };
}

function rounded(change: number): number {
  // Without a minus before 0.
  return Number(change.toFixed(5)) + 0;
}
