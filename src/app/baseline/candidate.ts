import { dirname } from 'node:path';
import { type CheckoutFacts, checkoutText, isChanged } from '../../core/baseline/commit.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { SideOrigin } from '../../core/record/run-record.ts';
import type { Repository } from '../ports/repositories.ts';
import type { BaselineAdapters, BaselineRequest } from './baseline-plan.ts';

/** What every way to a baseline stands on: who asks, and the checkout that the candidate is. */
export interface Context {
  request: BaselineRequest;
  adapters: BaselineAdapters;
  signal: AbortSignal;
  candidateOrigin: SideOrigin;
  /** Spec of what a pull request is merged into, whose requests it is gated by; null where a baseline's own spec says them. */
  governing: ResolvedSpec | null;
  checkout: Checkout | null;
  /** Why there is no checkout; '' where there is. */
  noCheckout: string;
}

export interface Checkout {
  repository: Repository;
  facts: CheckoutFacts;
  /** Of the spec file, relative to the repository's top. */
  specPath: string;
  /**
   * Git's tree of the checkout as it stands; null where it differs from its commit, and for processes where there are
   * files that git ignores: they run among them.
   */
  tree: string | null;
}

/** The candidate is the checkout as it stands, changes and all. */
export async function contextOf(
  request: BaselineRequest,
  adapters: BaselineAdapters,
  signal: AbortSignal,
): Promise<Context> {
  const { workflow, repositories } = adapters;
  const base = { request, adapters, signal, governing: null };
  const repository = await repositories.at(dirname(request.specFile));
  const without = (noCheckout: string): Context => {
    const origin: SideOrigin = { recordId: null, sha: null, text: 'files of this machine, in no git repository' };
    return { ...base, candidateOrigin: origin, checkout: null, noCheckout };
  };
  if ('code' in repository) return without(repository.message);
  const specPath = await repository.pathOf(request.specFile);
  if (specPath === null) return without(`${request.specFile} lies outside of its repository.`);
  const facts = await repository.facts(workflow.baseBranch ?? workflow.defaultBranch, request.ownFolders);
  const tree = facts.head === null || isChanged(facts) ? null : await repository.treeOf(facts.head);
  const alone = request.runtime === 'process' ? await repository.ignored(1, request.ownFolders) : [];
  return {
    ...base,
    candidateOrigin: { recordId: null, sha: facts.head, text: checkoutText(facts, workflow) },
    checkout: { repository, facts, specPath, tree: alone.length > 0 ? null : tree },
    noCheckout: '',
  };
}
