import type { BusySide, BusyTask, Progress } from '../../app/ports/progress.ts';
import { span } from '../../core/format/figures.ts';
import { shortened } from '../../core/format/text.ts';

/** What took no longer is not worth a second line. */
const WORTH_SAYING_SECONDS = 10;
const LOG_COLUMNS = 200;
const TICK_MS = 1000;

interface Begun {
  task: BusyTask;
  startedMs: number;
}

/** A line of a log where a task begins, and one where it has ended and took long; never one for how far it is. */
export function busyLines(line: (text: string) => unknown): Progress['busy'] {
  const begun = new Map<BusySide, Begun>();
  return (side, task) => {
    const before = begun.get(side);
    if (before !== undefined && task !== null && isSame(before.task, task)) return;
    if (before !== undefined) endOf(side, before, line);
    begun.delete(side);
    if (task === null) return;
    begun.set(side, { task, startedMs: performance.now() });
    if (task.isFrequent !== true) line(logText(side, task));
  };
}

/** What all sides are busy with, as one live line whose seconds count on. */
interface BusySides {
  busy: Progress['busy'];
  /** In so many columns; null where nobody is busy. */
  text(width: number): string | null;
  clear(): void;
}

/** `onChange` is called when there is another text, and at every second; `line` with what took long. */
export function busySides(onChange: () => void, line: (text: string) => unknown): BusySides {
  const begun = new Map<BusySide, Begun>();
  let timer: NodeJS.Timeout | null = null;
  const tick = () => {
    if (begun.size > 0) {
      timer ??= setInterval(onChange, TICK_MS).unref();
      return;
    }
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    busy(side, task) {
      const before = begun.get(side);
      if (before !== undefined && task !== null && isSame(before.task, task)) {
        before.task = task;
        return;
      }
      if (before === undefined && task === null) return;
      if (before !== undefined) endOf(side, before, line);
      if (task === null) begun.delete(side);
      else begun.set(side, { task, startedMs: performance.now() });
      tick();
      onChange();
    },
    text: (width) => (begun.size === 0 ? null : liveText([...begun], width)),
    clear() {
      begun.clear();
      tick();
    },
  };
}

/** But for how far it is. */
function isSame(one: BusyTask, other: BusyTask): boolean {
  return one.title === other.title && one.what === other.what;
}

function endOf(side: BusySide, begun: Begun, line: (text: string) => unknown): void {
  const seconds = secondsOf(begun);
  if (seconds > WORTH_SAYING_SECONDS) line(`${logText(side, begun.task)} · took ${span(seconds)}`);
}

function secondsOf({ startedMs }: Begun): number {
  return (performance.now() - startedMs) / 1000;
}

function logText(side: BusySide, { title, what }: BusyTask): string {
  return shortened(`${title}${side === null ? '' : `, ${side}`}: ${what}`, LOG_COLUMNS);
}

const SEPARATOR = ' | ';

/** Both sides are busy with the same as a rule. */
function liveText(all: readonly [BusySide, Begun][], width: number): string {
  const [first, ...others] = all.map(([, begun]) => begun) as [Begun, ...Begun[]];
  const { title } = first.task;
  if (others.length > 0 && others.every(({ task }) => isSame(task, first.task))) {
    return partText(`${title}, both sides: `, first, width);
  }
  const each = Math.floor((width - SEPARATOR.length * others.length) / all.length);
  const parts = all.map(([side, begun], index) => {
    const isNamed = index === 0 || begun.task.title !== title;
    const names = [...(isNamed ? [begun.task.title] : []), ...(side === null ? [] : [side])];
    return partText(`${names.join(', ')}: `, begun, each);
  });
  return parts.join(SEPARATOR).slice(0, width);
}

/** The seconds stay, whatever there is no room for. */
function partText(before: string, begun: Begun, width: number): string {
  const { what, count } = begun.task;
  const end = `${count === undefined ? '' : `, ${count}`} · ${span(Math.floor(secondsOf(begun)))}`;
  return `${before}${shortened(what, Math.max(1, width - before.length - end.length))}${end}`;
}
