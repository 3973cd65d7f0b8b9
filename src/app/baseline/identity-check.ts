import { join } from 'node:path';
import { type SideIdentity, sameOnBothSides } from '../../core/baseline/identity.ts';
import { artifactsOf } from '../../core/config/builds.ts';
import type { Case } from '../../core/config/case.ts';
import { containerFilesOf, dataFilesOf } from '../../core/config/paths.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { BaselineFiles } from '../ports/baselines.ts';
import type { PreparedService } from '../ports/testbed.ts';
import type { BuiltBaseline } from './baseline-plan.ts';
import type { Context } from './candidate.ts';

interface Side {
  spec: ResolvedSpec;
  specDirectory: string;
  tree: string | null;
}

/**
 * Holds what was prepared for both sides against each other, with their specs and the contents of their SQL files. Where the
 * baseline has cases that the candidate has not, there is something to tell whatever else is the same.
 */
export function identityCheck(
  context: Context,
  baseline: Side,
  missing: readonly Case[],
): BuiltBaseline['sameOnBothSides'] {
  const { request, adapters, checkout } = context;
  if (missing.length > 0) return async () => null;
  const candidate: Side = {
    spec: request.shortened(request.spec),
    specDirectory: join(request.specFile, '..'),
    tree: checkout?.tree ?? null,
  };
  return async (preparedBaseline, preparedCandidate) => {
    const [one, other] = await Promise.all([
      identityOf(baseline, preparedBaseline, adapters.files),
      identityOf(candidate, preparedCandidate, adapters.files),
    ]);
    const subjects = request.spec.services.filter(({ role }) => role === 'subject').map(({ name }) => name);
    const compared = preparedCandidate.map(({ service }) => service).filter((name) => subjects.includes(name));
    return sameOnBothSides(one, other, compared);
  };
}

async function identityOf(
  { spec, specDirectory, tree }: Side,
  prepared: readonly PreparedService[],
  files: BaselineFiles,
): Promise<SideIdentity> {
  const had = prepared.filter(({ failure }) => failure === null);
  const names = [...dataFilesOf(spec), ...containerFilesOf(spec)];
  const hashes = await Promise.all(names.map((name) => files.hash(join(specDirectory, name))));
  return {
    spec,
    artifacts: Object.fromEntries(had.map((each) => [each.service, artifactsOf(each)])),
    init: hashes.some((hash) => hash === null) ? null : (hashes as string[]),
    tree,
  };
}
