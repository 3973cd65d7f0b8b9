import * as core from '@actions/core';
import { readEvent } from '../../adapters/actions/event.ts';
import { actionsJob } from '../../adapters/actions/job.ts';
import { dockerRuntime } from '../../adapters/docker/runtime.ts';
import { tryMachineLock } from '../../adapters/files/machine-lock.ts';
import { sweepWorktrees } from '../../adapters/git/worktree.ts';
import { createClient } from '../../adapters/github/client.ts';
import { githubForge } from '../../adapters/github/forge.ts';
import { restoreLeft } from '../../adapters/machine/sysctls.ts';
import { endOwner } from '../../adapters/process/owner.ts';
import { processRuntime } from '../../adapters/process-runtime/runtime.ts';
import { TestbedError } from '../../app/ports/testbed.ts';
import { setStatuses } from '../../app/posting/commit-status.ts';
import { AWAITED_STATE, ownRun } from '../../app/workflow/own-run.ts';
import { jobFacts } from '../../core/action/job-facts.ts';
import { missingStatus } from '../../core/posting/status.ts';

declare const WRKBENCH_VERSION: string;

/** What the step leaves for the one that runs after the job: who it is (see `ownIdentity`), and where it has measured. */
export const OWNER_STATE = 'owner';
export const FOLDERS_STATE = 'folders';

/** More than a runner container takes to take down what it has started. */
const ENDING = { graceMs: 75_000, killMs: 5_000 };

/**
 * Runs after the job, also after one that was cancelled: GitHub kills the step 10 s after its first signal, which may be
 * too soon for taking everything down. Whatever runs have left whose process is no more is removed. Never fails the job.
 */
export async function postStep(): Promise<void> {
  await quietly(endStep);
  await quietly(() => dockerRuntime({ environment: process.env }).sweep());
  await quietly(() => processRuntime().sweep());
  for (const folder of namesIn(core.getState(FOLDERS_STATE))) await quietly(() => sweepWorktrees(folder));
  await quietly(restoreSettings);
  await quietly(unreportedStatuses);
}

/** Of a job that was cancelled or ran out of time before it could tell: a required status would be waited for in vain. */
async function unreportedStatuses(): Promise<string[]> {
  const names = namesIn(core.getState(AWAITED_STATE));
  const token = core.getInput('token');
  if (names.length === 0 || token === '') return [];
  const facts = jobFacts(process.env, await readEvent(process.env.GITHUB_EVENT_PATH));
  const { warn } = actionsJob({ hosted: false });
  const client = createClient({ apiUrl: facts.apiUrl, token, version: WRKBENCH_VERSION, warn });
  const forge = githubForge(client, facts.repository);
  const why = 'its job was cancelled, or ran out of time';
  const base = facts.pullRequest?.baseBranch ?? '';
  const mark = base === '' ? null : { base };
  const statuses = names.map((name) => missingStatus(name, why, mark));
  await setStatuses(statuses, await ownRun(facts, forge), { forge, warn, status: true });
  return [];
}

function namesIn(state: string): string[] {
  try {
    const names: unknown = JSON.parse(state);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    // The step came to none.
    return [];
  }
}

/** A run that measures at the moment has put them back before it began. */
async function restoreSettings(): Promise<string[]> {
  const held = await tryMachineLock('post');
  if (held === null) return [];
  try {
    return Object.entries(restoreLeft()).map(([name, value]) =>
      `Set ${name} to ${value} again, changed by a run that has ended.`.replaceAll('\t', ' '),
    );
  } finally {
    await held.release();
  }
}

/**
 * The step of a container job never gets GitHub's signals: they end the `docker exec` that it was started with, and nothing
 * in the container.
 */
async function endStep(): Promise<string[]> {
  const ended = await endOwner(core.getState(OWNER_STATE), ENDING);
  return ended ? ['Ended the step, which was still running.'] : [];
}

async function quietly(sweep: () => Promise<string[]>): Promise<void> {
  const { say, warn } = actionsJob({ hosted: false });
  try {
    for (const sentence of await sweep()) say(sentence);
  } catch (error) {
    // Without an engine there is nothing of ours in one.
    if (error instanceof TestbedError && error.code === 'engine-unavailable') return;
    warn(`Something may be left behind: ${error instanceof Error ? error.message : String(error)}`);
  }
}
