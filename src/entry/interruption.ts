import { EXIT } from './failure.ts';
import { printError } from './output.ts';

/** Ctrl-C, a request to end, and a terminal or connection that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts at the first of its signals. Whatever is running is then taken down, which may take a second or two, so a
 * second signal only says so: a run that is cut short there would leave containers behind.
 */
export function interruption(kept = 'What was measured is kept.'): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      printError('\nStill taking down what was started; a moment.\n');
      return;
    }
    printError(`\n${name}: taking down what was started. ${kept}\n`);
    controller.abort(new Error(`The run was interrupted by ${name}; what it had measured is kept.`));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    release() {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}

/** The exit status of `work`, which gets the signal of `interruption`; that of an interrupted command where it gave up for it. */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>, kept?: string): Promise<number> {
  const { signal, release } = interruption(kept);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    release();
  }
}
