import { withoutCommands } from '../core/action/workflow-commands.ts';

/** Text for a person on standard output or error: in a workflow both are read for commands, and servers' log lines are in it. */
export function forLog(text: string): string {
  return process.env.GITHUB_ACTIONS === 'true' ? withoutCommands(text) : text;
}
