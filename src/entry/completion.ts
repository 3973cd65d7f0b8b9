import completions from '@bomb.sh/tab';
import withCompletions from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import bash from '../../templates/completion/completion.bash';
import zsh from '../../templates/completion/completion.zsh';
import { print } from './output.ts';

/** The library's own for these two have the shell evaluate what was typed: TAB behind `$(…)` would run it. */
const OWN: Record<string, string> = { bash, zsh };

/** The library's own commands in place of the one that only stands in the help: `completion`, and what shells call. */
export function addCompletions(wrkbench: Command): void {
  const all = wrkbench.commands as Command[];
  const at = all.findIndex((command) => command.name() === 'completion');
  all.splice(at, 1);
  withCompletions(wrkbench, { completionCommandName: 'completion' });
  const added = all.find((command) => command.name() === 'completion');
  added?.action((shell: string) => {
    const own = OWN[shell];
    if (own === undefined) completions.setup('wrkbench', 'wrkbench', shell);
    else print(own);
  });
}
