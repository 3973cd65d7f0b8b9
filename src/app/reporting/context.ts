import type { Known } from '../../core/reporting/judgement.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import { ForgeFailure, type PullRequest } from '../ports/forge.ts';
import type { Addressee } from './addressee.ts';
import { specsAt } from './base-specs.ts';
import { acceptancesOf, acceptancesOfPush, firstRunAt } from './known-acceptances.ts';
import { ownMeasuring } from './measuring-files.ts';
import type { ReportAdapters, ReportRequest } from './report-request.ts';

/** What is known of a run before its artifacts are looked at. */
export interface Context {
  request: ReportRequest;
  addressee: Exclude<Addressee, { kind: 'nobody' }>;
  /** Commit that the candidate is held against; null where nobody knows. */
  base: string | null;
  specs: Map<string, ResolvedSpec>;
  accepted: Known['accepted'];
  /** Why the run may say what it likes of itself. */
  own: string | null;
}

export async function contextOf(
  request: ReportRequest,
  addressee: Context['addressee'],
  adapters: ReportAdapters,
): Promise<Context> {
  const { forge, warn } = adapters;
  const { run } = request;
  if (addressee.kind !== 'pull-request') {
    const specs = await specsAt(addressee.sha, request.specs, forge, warn);
    return {
      request,
      addressee,
      base: null,
      specs,
      accepted: await acceptancesOfPush(addressee.sha, forge),
      own: null,
    };
  }
  const { pullRequest } = addressee;
  const base = pullRequest.base.sha;
  const others = (await forge.runsOf(pullRequest.head.sha)).filter(({ path }) => path === run.path);
  const { accepted, outdated } = await acceptancesOf(pullRequest, firstRunAt(run, others), forge);
  await withdrawn(pullRequest, outdated, adapters);
  return {
    request,
    addressee,
    base,
    specs: await specsAt(base, request.specs, forge, warn),
    accepted,
    own: await ownMeasuring(pullRequest.number, run.path, base, forge),
  };
}

/** A label was meant for what had been pushed by then: it goes, so that everybody sees that it holds no more. */
async function withdrawn({ number }: PullRequest, labels: readonly string[], { forge, warn }: ReportAdapters) {
  for (const label of labels) {
    await forge.removeLabel(number, label).catch((error: unknown) => {
      if (!(error instanceof ForgeFailure)) throw error;
      warn(`The label ${label} was set before the last push and holds no more; it cannot be removed: ${error.message}`);
    });
  }
}
