import type { BusySide, BusyTask, Progress } from '../../app/ports/progress.ts';
import type { ProgressOutput } from './progress-output.ts';

type State = Parameters<Progress['at']>[0];
type ProgressEvent =
  | { event: 'say' | 'warn' | 'begin' | 'measured'; text: string }
  | { event: 'end' }
  | { event: 'at'; state: State }
  | { event: 'busy'; side: BusySide; task: BusyTask | null };

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
    busy: (side, task) => line({ event: 'busy', side, task }),
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
  else if (event.event === 'busy') progress.busy(event.side, withTexts(event.task, here));
  else progress[event.event](here(event.text));
}

function withTexts(task: BusyTask | null, here: (text: string) => string): BusyTask | null {
  return task === null ? null : { ...task, title: here(task.title), what: here(task.what) };
}

function eventIn(line: string): ProgressEvent | null {
  if (!line.startsWith('{"event":')) return null;
  try {
    const { event, text, state, side, task } = JSON.parse(line) as Record<string, unknown>;
    if (event === 'end') return { event };
    if (event === 'at') return isState(state) ? { event, state } : null;
    if (event === 'busy') return isSide(side) && isTask(task) ? { event, side, task } : null;
    const isText = event === 'say' || event === 'warn' || event === 'begin' || event === 'measured';
    return isText && typeof text === 'string' ? { event, text } : null;
  } catch {
    return null;
  }
}

function isState(state: unknown): state is State {
  if (typeof state !== 'object' || state === null) return false;
  const { done, total, what, remainingSeconds } = state as Record<string, unknown>;
  const areNumbers = [done, total, remainingSeconds ?? 0].every((each) => typeof each === 'number');
  return areNumbers && remainingSeconds !== undefined && typeof what === 'string';
}

function isSide(side: unknown): side is BusySide {
  return side === null || side === 'baseline' || side === 'candidate';
}

function isTask(task: unknown): task is BusyTask | null {
  if (typeof task !== 'object') return false;
  if (task === null) return true;
  const { title, what, count = '', isFrequent = false } = task as Record<string, unknown>;
  return [title, what, count].every((each) => typeof each === 'string') && typeof isFrequent === 'boolean';
}
