// Thresholds and tags of both: by ours the load is counted apart from its lead-in.
function merged(base, given) {
  return Object.assign({}, base, given, {
    summaryTrendStats: base.summaryTrendStats,
    systemTags: [...new Set([...base.systemTags, ...(given.systemTags || [])])],
    thresholds: Object.assign({}, given.thresholds, base.thresholds),
  });
}
