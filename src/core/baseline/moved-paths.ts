import type { ResolvedSpec } from '../config/resolved.ts';
import { redactedSpec } from '../record/redaction.ts';

/**
 * The baseline's path of each endpoint, by its name, for which the candidate's spec has another one or none; as a record may hold them.
 */
export function movedPaths(candidate: ResolvedSpec, baseline: ResolvedSpec): Record<string, string> {
  const { endpoints } = redactedSpec(candidate);
  const moved = redactedSpec(baseline).endpoints.filter(
    ({ name, path }) => !endpoints.some((endpoint) => endpoint.name === name && endpoint.path === path),
  );
  return Object.fromEntries(moved.map(({ name, path }) => [name, path]));
}
