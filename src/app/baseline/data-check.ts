import { join } from 'node:path';
import { dataDifference, type SideData } from '../../core/baseline/data-difference.ts';
import { sqlFilesOf } from '../../core/config/prepare.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { BaselineFiles } from '../ports/baselines.ts';
import type { Context } from './candidate.ts';

/** Whether the databases of both sides are loaded with the same, by the contents of their files: empty where they are. */
export async function dataWarnings(
  { request, adapters: { files } }: Context,
  baseline: { spec: ResolvedSpec; specDirectory: string },
): Promise<Reason[]> {
  const candidate = { spec: request.spec, specDirectory: join(request.specFile, '..') };
  const [before, now] = await Promise.all([dataOf(baseline, files), dataOf(candidate, files)]);
  const difference = dataDifference(before, now);
  return difference === null ? [] : [difference];
}

async function dataOf(
  { spec: { database, prepare }, specDirectory }: { spec: ResolvedSpec; specDirectory: string },
  files: BaselineFiles,
): Promise<SideData> {
  const hashes = (names: string[]) => Promise.all(names.map((name) => files.hash(join(specDirectory, name))));
  const init = await hashes(database?.init ?? []);
  if (prepare === undefined) return { database, init };
  return { database, init, prepare: { steps: prepare, hashes: await hashes(sqlFilesOf({ prepare })) } };
}
