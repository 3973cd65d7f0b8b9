import * as core from '@actions/core';
import { dockerRuntime } from '../../adapters/docker/runtime.ts';
import { processRuntime } from '../../adapters/process/runtime.ts';
import { StageError } from '../../app/ports/stage.ts';
import { withoutCommands } from '../../core/action/workflow-commands.ts';

/**
 * Runs after the job, also after one that was cancelled: GitHub kills the step 10 s after its first signal, which may be
 * too soon for taking everything down. Whatever runs have left whose process is no more is removed. Never fails the job.
 */
export async function postStep(): Promise<void> {
  for (const runtime of [dockerRuntime({ environment: process.env }), processRuntime()]) {
    try {
      for (const sentence of await runtime.sweep()) core.info(withoutCommands(sentence));
    } catch (error) {
      // Without an engine there is nothing of ours in one.
      if (error instanceof StageError && error.code === 'engine-unavailable') continue;
      core.warning(`Something may be left behind: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
