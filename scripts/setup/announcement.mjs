// Progress goes to standard error: standard output belongs to what is run after set-up.

/** @param {string} text one line */
export function announce(text) {
  process.stderr.write(`set-up: ${text}\n`);
}

/** What nobody foresaw, as a sentence: the first place in our own scripts is enough to find it by. */
export function announceFailure(error) {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const [, place] = /(scripts\/\S+:\d+):\d+/.exec(stack) ?? [];
  announce(`could not go on: ${message}${place === undefined ? '' : ` (${place})`}`);
}

/** Runs a step and says how long it took where that was long enough to be noticed. */
export async function timed(text, action) {
  announce(text);
  const startedMs = performance.now();
  const result = await action();
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  if (seconds >= 5) announce(`  … ${text.split(':')[0]} took ${seconds} s`);
  return result;
}
