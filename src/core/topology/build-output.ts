const LAST_LINES = 40;

/**
 * What BuildKit says at its end of the step that failed, other steps being built beside it:
 *
 *     ------
 *      > [build 3/5] RUN npm ci:
 *     2.134 npm error code E404
 *     ------
 */
const FAILED_STEP = /^-{6}\r?\n > (.{1,400}):\r?\n((?:(?!-{6}\r?$).{0,4000}\r?\n)*)-{6}\r?$/gm;
/** Seconds since the step began. */
const ELAPSED = /^\d{1,6}\.\d{1,3} /;

/** The last lines of the step of a build that failed; those of the build where no step is named. */
export function failedStepLines(output: string): string[] {
  const [, step, said] = [...output.matchAll(FAILED_STEP)].at(-1) ?? [];
  if (step === undefined) return lastLines(output);
  return [step, ...lastLines(said!).map((line) => line.replace(ELAPSED, ''))];
}

/** The last lines that say something. */
export function lastLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '').slice(-LAST_LINES);
}
