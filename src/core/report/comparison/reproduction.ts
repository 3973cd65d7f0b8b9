import type { RunRecord } from '../../record/run-record.ts';

/**
 * The commands that measure the same again. A reader copies them into a shell: of what strangers wrote, only hashes of
 * commits go in.
 */
export function reproduceCommands({ source, comparing, seed }: RunRecord): string[] {
  const commands = isHash(source.sha) ? [`git checkout ${source.sha}`] : [];
  const baseline = comparing?.baseline.sha ?? null;
  const against = isHash(baseline) ? ` --baseline commit:${baseline}` : '';
  return [...commands, `wrkbench run wrkbench.yml --out again${against} --seed ${seed}`];
}

function isHash(sha: string | null): sha is string {
  return sha !== null && /^[0-9a-f]{7,64}$/.test(sha);
}
