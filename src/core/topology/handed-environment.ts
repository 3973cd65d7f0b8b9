/**
 * Variables as the `docker` command is told them: by name, with their values in its own environment, so that none stands in its
 * arguments, which `ps` shows to everybody.
 */
export interface HandedEnvironment {
  arguments: string[];
  /** For the environment of the command. */
  env: Record<string, string>;
}

/** What the command, its linker and its runtime go by themselves: such a variable stays an argument. */
const OF_THE_COMMAND =
  /^(?:PATH|HOME|USER|TMPDIR|(?:HTTPS?|NO|ALL)_PROXY|GO[A-Z]+)$|^(?:DOCKER|BUILDKIT|BUILDX|LD|SSH|SSL|XDG|OTEL)_|^$|=/i;

/** `option`: `--env` of a container, `--build-arg` of a build. */
export function handedEnvironment(
  variables: Readonly<Record<string, string>>,
  option: '--env' | '--build-arg' = '--env',
): HandedEnvironment {
  const all = Object.entries(variables);
  const isOpen = ([name]: [string, string]) => OF_THE_COMMAND.test(name);
  return {
    arguments: all.flatMap((variable) => [option, isOpen(variable) ? variable.join('=') : variable[0]]),
    env: Object.fromEntries(all.filter((variable) => !isOpen(variable))),
  };
}
