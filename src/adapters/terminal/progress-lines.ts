import type { Progress } from '../../app/ports/progress.ts';
import type { ProgressOutput } from './progress-output.ts';

type State = Parameters<Progress['at']>[0];
type ProgressEvent =
  | { event: 'say' | 'warn' | 'begin' | 'measured'; text: string }
  | { event: 'end' }
  | { event: 'at'; state: State };

/** A line of JSON for each event, for a process that reads them and relays them in its own place. */
export function lineProgress(output: ProgressOutput): Progress {
  const line = (event: ProgressEvent) => output.write(`${JSON.stringify(event)}\n`);
  return {
    say: (text) => line({ event: 'say', text }),
    warn: (text) => line({ event: 'warn', text }),
    begin: (text) => line({ event: 'begin', text }),
    measured: (text) => line({ event: 'measured', text }),
    end: () => line({ event: 'end' }),
    at: (state) => line({ event: 'at', state }),
  };
}

/**
 * Relays what a line of `lineProgress` says; any other line is said as it is. What somebody untrusted got into such a line is no
 * more than a text of it. `here`: what a text is called in this place.
 */
export function relay(line: string, progress: Progress, here: (text: string) => string): void {
  const event = eventIn(line);
  if (event === null) progress.say(here(line));
  else if (event.event === 'end') progress.end();
  else if (event.event === 'at') progress.at(event.state);
  else progress[event.event](here(event.text));
}

function eventIn(line: string): ProgressEvent | null {
  if (!line.startsWith('{"event":')) return null;
  try {
    const { event, text, state } = JSON.parse(line) as Record<string, unknown>;
    if (event === 'end') return { event };
    if (event === 'at') return isState(state) ? { event, state } : null;
    const isText = event === 'say' || event === 'warn' || event === 'begin' || event === 'measured';
    return isText && typeof text === 'string' ? { event, text } : null;
  } catch {
    return null;
  }
}

function isState(state: unknown): state is State {
  if (typeof state !== 'object' || state === null) return false;
  const { done, total, what, remainingSeconds } = state as Record<string, unknown>;
  return [done, total, remainingSeconds].every((each) => typeof each === 'number') && typeof what === 'string';
}
