import { withoutCommands } from '../core/action/workflow-commands.ts';
import { shown } from './terminal.ts';

/**
 * Text for a person on standard output or error, where servers' log lines, messages of programs and names of specs are in
 * it. No terminal obeys anything of theirs; nor does a workflow, which reads both for commands.
 */
export function forLog(text: string): string {
  return isWorkflow() ? withoutCommands(shown(text)) : shown(text);
}

/** JSON as any program reads it, with what a terminal or a workflow would obey as escapes. */
export function jsonForLog(json: string): string {
  return json
    .replaceAll('##[', '#\\u0023[')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) =>
      [...Array(found.length).keys()]
        .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join(''),
    );
}

/** CSV, Markdown, a page: a file gets it as it is, a terminal and a workflow's log what they would not obey. */
export function documentForLog(text: string): string {
  if (process.stdout.isTTY === true) return forLog(text);
  return isWorkflow() ? withoutCommands(text) : text;
}

function isWorkflow(): boolean {
  return process.env.GITHUB_ACTIONS === 'true';
}
