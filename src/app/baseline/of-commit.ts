import { dirname, join } from 'node:path';
import { shortSha } from '../../core/baseline/commit.ts';
import { baselineSide } from '../../core/baseline/sides.ts';
import { SpecError } from '../../core/config/diagnostics.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { specInFolder } from '../spec-in-folder.ts';
import type { BuiltBaseline, FirstMeasurement } from './baseline-plan.ts';
import { asBuildSource } from './build-checkout.ts';
import type { Checkout, Context } from './candidate.ts';
import { dataWarnings } from './data-check.ts';
import { identityCheck } from './identity-check.ts';
import { worktreeOf } from './worktree.ts';
import { absentFromWorktree, ignoredInContext } from './worktree-gaps.ts';

/** A commit that is here, and why it is the one. */
export interface CommitToBuild {
  sha: string;
  /** `merge-base with main`; null where it was named. */
  why: string | null;
  /** Of the record that named it. */
  recordId: string | null;
}

/**
 * A clean worktree of the commit, with what its own spec says. A first measurement where it has no spec; a reason where
 * it cannot be checked out or its spec has mistakes.
 */
export async function baselineOfCommit(
  context: Context,
  checkout: Checkout,
  commit: CommitToBuild,
): Promise<BuiltBaseline | FirstMeasurement | Reason> {
  const { request, adapters, candidateOrigin, governing, signal } = context;
  const title = `${shortSha(commit.sha)}${commit.why === null ? '' : ` (${commit.why})`}`;
  const worktree = await worktreeOf(checkout, commit.sha, signal);
  if (!('directory' in worktree)) return worktree;
  let candidate: CleanCandidate | null = null;
  const release = async () => {
    await candidate?.release();
    await worktree.release();
  };
  try {
    const specFile = join(worktree.directory, checkout.specPath);
    const text = await adapters.files.text(specFile);
    if (text === null) {
      await worktree.release();
      const message = `No spec on the baseline's side: a first measurement. ${checkout.specPath} is not in commit ${title}.`;
      return { kind: 'first', candidateOrigin, warnings: [{ code: 'no-baseline-spec', message }] };
    }
    const specDirectory = dirname(specFile);
    const own = await baselineSpec(text, checkout.specPath, title, () => adapters.files.list(specDirectory));
    if ('code' in own) {
      await worktree.release();
      return own;
    }
    const { spec, missing, warnings } = baselineSide(request.spec, own, { ...request, governing });
    // A file that is only a pointer makes another program of the same tree.
    const tree = worktree.warnings.length > 0 ? null : await checkout.repository.treeOf(commit.sha);
    const isDocker = request.runtime === 'docker';
    if (isDocker) await asBuildSource(worktree, { sha: commit.sha, spec, checkout });
    candidate = await cleanCandidate(context, checkout);
    const gaps = isDocker ? [] : await absentFromWorktree(spec, specDirectory, checkout, context);
    const more = isDocker && candidate === null ? await ignoredInContext(context, checkout) : [];
    const data = await dataWarnings(context, { spec, specDirectory });
    return {
      kind: 'built',
      spec,
      specDirectory,
      gate: own.gate,
      missing,
      origin: { recordId: commit.recordId, sha: commit.sha, text: `commit ${title}, built in this run` },
      candidateOrigin,
      candidateBuildDirectory: candidate?.directory ?? null,
      warnings: [...data, ...worktree.warnings, ...warnings, ...gaps, ...more],
      sameOnBothSides: identityCheck(context, { spec, specDirectory, tree }, missing),
      fallback: null,
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** `list` gives the paths of its folder, where they are here. */
export async function baselineSpec(
  text: string,
  path: string,
  title: string,
  list: () => Promise<readonly string[]>,
): Promise<ResolvedSpec | Reason> {
  try {
    return await specInFolder(text, path, list);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const message = `The spec of the baseline, ${path} in commit ${title}, is not valid:\n${error.message}`;
    return { code: 'wrong-baseline-spec', message };
  }
}

interface CleanCandidate {
  /** Folder of its spec file. */
  directory: string;
  release(): Promise<void>;
}

/**
 * The candidate's own commit, checked out as the baseline is: images are then built from the same files on both sides,
 * without the repository and without what git ignores. Null where the checkout is more than its commit (or git cannot
 * have that whole), and for processes, which run where they are.
 */
async function cleanCandidate(context: Context, checkout: Checkout): Promise<CleanCandidate | null> {
  const { request, signal } = context;
  const isBuilt = request.spec.services.some(({ image }) => image?.kind === 'build');
  if (request.runtime !== 'docker' || !isBuilt || checkout.tree === null) return null;
  const sha = checkout.facts.head!;
  const worktree = await worktreeOf(checkout, sha, signal);
  if (!('directory' in worktree)) return null;
  if (worktree.warnings.length > 0) {
    await worktree.release();
    return null;
  }
  await asBuildSource(worktree, { sha, spec: request.spec, checkout });
  return { directory: dirname(join(worktree.directory, checkout.specPath)), release: () => worktree.release() };
}
