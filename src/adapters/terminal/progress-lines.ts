import type { Progress } from '../../app/ports/progress.ts';
import type { ProgressOutput } from './progress-output.ts';

type State = Parameters<Progress['at']>[0];
type Told =
  | { told: 'say' | 'warn' | 'begin' | 'measured'; text: string }
  | { told: 'end' }
  | { told: 'at'; state: State };

/** A line of JSON for each thing that is told, for a process that reads them and tells it on in its own place. */
export function lineProgress(output: ProgressOutput): Progress {
  const line = (told: Told) => output.write(`${JSON.stringify(told)}\n`);
  return {
    say: (text) => line({ told: 'say', text }),
    warn: (text) => line({ told: 'warn', text }),
    begin: (text) => line({ told: 'begin', text }),
    measured: (text) => line({ told: 'measured', text }),
    end: () => line({ told: 'end' }),
    at: (state) => line({ told: 'at', state }),
  };
}

/**
 * Tells on what a line of `lineProgress` says; any other line is said as it is. What a stranger got into such a line is no
 * more than a text of it. `here`: what a text is called in this place.
 */
export function tellOn(line: string, progress: Progress, here: (text: string) => string): void {
  const told = toldIn(line);
  if (told === null) progress.say(here(line));
  else if (told.told === 'end') progress.end();
  else if (told.told === 'at') progress.at(told.state);
  else progress[told.told](here(told.text));
}

function toldIn(line: string): Told | null {
  if (!line.startsWith('{"told":')) return null;
  try {
    const { told, text, state } = JSON.parse(line) as Record<string, unknown>;
    if (told === 'end') return { told };
    if (told === 'at') return isState(state) ? { told, state } : null;
    const isText = told === 'say' || told === 'warn' || told === 'begin' || told === 'measured';
    return isText && typeof text === 'string' ? { told, text } : null;
  } catch {
    return null;
  }
}

function isState(state: unknown): state is State {
  if (typeof state !== 'object' || state === null) return false;
  const { done, total, what, remainingSeconds } = state as Record<string, unknown>;
  return [done, total, remainingSeconds].every((each) => typeof each === 'number') && typeof what === 'string';
}
