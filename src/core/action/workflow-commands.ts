/**
 * What GitHub's runner takes for a command in a log, whoever wrote it:
 *
 *     ::name key=value::data      behind white space at a line's start, by .NET's notion of both
 *     text ##[name]data           anywhere in a line: the older form, which is still obeyed
 *
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */

/** White space that is no line break, with U+0085, which .NET trims; letters that cannot be seen are taken for it as well. */
const BEGINNING = /^((?:(?![\r\n\u2028\u2029])[\s\p{Cc}\p{Cf}])*)::/gmu;

/** The text with no command left in it: `: :` and `## [` stand in their places. For all that is not ours alone. */
export function withoutCommands(text: string): string {
  return text.replaceAll(BEGINNING, '$1: :').replaceAll('##[', '## [');
}

/** One command of ours. Whatever `data` holds, it neither ends the line nor begins another command. */
export function workflowCommand(name: string, data: string): string {
  const escaped = data.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${name}::${escaped}`;
}
