import type { BusyTask, Progress } from '../../app/ports/progress.ts';
import { withoutCommands, workflowCommand } from '../../core/action/workflow-commands.ts';
import { terminalText, visible } from '../../core/format/text.ts';
import { RUNNER_CONTAINER_VARIABLES } from '../../core/topology/runner-container.ts';
import { busyLines, busySides } from './busy.ts';
import { lineProgress } from './progress-lines.ts';
import type { ProgressOutput } from './progress-output.ts';

/**
 * A live line at the bottom on a terminal, log groups under GitHub Actions, plain lines elsewhere; for a caller, JSON. What
 * others wrote is only shown, wherever it goes: its control codes are made visible before ours are put around it.
 */
export function progressOn(output: ProgressOutput, env: Record<string, string | undefined>): Progress {
  if (env[RUNNER_CONTAINER_VARIABLES.progress] === 'lines') return lineProgress(output);
  return harmless(formFor(output, env));
}

function formFor(output: ProgressOutput, env: Record<string, string | undefined>): Progress {
  if (env.GITHUB_ACTIONS === 'true') return groupedProgress(output);
  return output.isTTY === true && env.TERM !== 'dumb' ? liveProgress(output) : plainProgress(output);
}

function harmless(progress: Progress): Progress {
  return {
    say: (text) => progress.say(terminalText(text)),
    warn: (text) => progress.warn(terminalText(text)),
    begin: (title) => progress.begin(terminalText(title)),
    end: () => progress.end(),
    at: (state) => progress.at({ ...state, what: visible(state.what) }),
    busy: (side, task) => progress.busy(side, task === null ? null : visibleTask(task)),
    measured: (line) => progress.measured(terminalText(line)),
  };
}

function visibleTask(task: BusyTask): BusyTask {
  return { ...task, title: visible(task.title), what: visible(task.what) };
}

type State = Parameters<Progress['at']>[0];

function stateText({ done, total, what, remainingSeconds }: State): string {
  const left = remainingSeconds === null ? '' : `  ${durationText(remainingSeconds)} left`;
  return `[${done + 1}/${total}] ${what}${left}`;
}

/** `45 s`, `3 min`, `1 h 12 min`: no more exact than an estimate is. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function plainProgress(output: ProgressOutput): Progress {
  const line = (text: string) => output.write(`${text}\n`);
  return {
    say: line,
    warn: (text) => line(`warning: ${text}`),
    begin: line,
    end: () => undefined,
    at: (state) => line(stateText(state)),
    busy: busyLines(line),
    measured: (text) => line(`  ${text}`),
  };
}

/** The log is read for commands, wherever a line of it comes from: only these here are meant. */
function groupedProgress(output: ProgressOutput): Progress {
  const plain = (text: string) => output.write(`${withoutCommands(text)}\n`);
  const command = (name: string, data: string) => output.write(`${workflowCommand(name, data)}\n`);
  return {
    say: plain,
    warn: (text) => command('warning', text),
    begin: (title) => command('group', title),
    end: () => command('endgroup', ''),
    at: (state) => plain(stateText(state)),
    busy: busyLines(plain),
    measured: (text) => plain(`  ${text}`),
  };
}

function liveProgress(output: ProgressOutput): Progress {
  let state: State | null = null;
  let live = '';
  const clear = () => (live === '' ? '' : '\r\u001b[2K');
  // One write for line and state together: two would flicker.
  const line = (text: string) => output.write(`${clear()}${text}\n${live}`);
  const show = () => {
    const width = Math.max(20, (output.columns ?? 80) - 1);
    const before = clear();
    live = sides.text(width) ?? (state === null ? '' : stateText(state).slice(0, width));
    output.write(`${before}${live}`);
  };
  const sides = busySides(show, line);
  return {
    say: line,
    warn: (text) => line(`\u001b[33mwarning:\u001b[39m ${text}`),
    begin: (title) => line(`\u001b[1m${title}\u001b[22m`),
    end: () => {
      state = null;
      sides.clear();
      output.write(clear());
      live = '';
    },
    at: (at) => {
      state = at;
      show();
    },
    busy: sides.busy,
    measured: (text) => line(`  ${text}`),
  };
}
