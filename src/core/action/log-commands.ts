/**
 * A text for the log of a job, in which nothing is a command to the runner. It takes for one what follows `::` at the
 * beginning of a line, behind white space of any kind, and what follows `##[` anywhere in a line, wherever it comes from:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions and
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function withoutCommands(text: string): string {
  return text.replaceAll(/^([\s\u0085]*)::/gm, '$1: :').replaceAll('##[', '# #[');
}
