import type { GeneratorRun } from '../../app/ports/generators.ts';
import type { Case } from '../../core/config/case.ts';
import { type GeneratorDuet, type GeneratorOutput, UnreadableOutput } from '../../core/generators/definition.ts';
import { withoutEndings } from '../../core/generators/endings.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { generators } from '../../core/generators/registry.ts';
import type { Execution, ExecutionRun } from './execution.ts';

/** What one process that served one request came to. */
export function runOf(execution: Execution, ended: ExecutionRun, testCase: Case): GeneratorRun {
  const { outcome } = generators[execution.name];
  const closes = testCase.service.keepAlive === 'closes';
  const read = (output: GeneratorOutput) =>
    closes ? withoutEndings(outcome(output), execution.name) : outcome(output);
  return { ...measuredOf(execution, ended), ...outcomeOf(execution, ended, read) };
}

/** The two runs of one process that served both sides. Nobody can tell whose CPU time it was: each side has half of it. */
export function runsOfDuet(
  execution: Execution,
  duet: GeneratorDuet<GeneratorName>,
  ended: ExecutionRun,
): [GeneratorRun, GeneratorRun] {
  const measured = { ...measuredOf(execution, ended), cpuNs: ended.cpuNs / 2 };
  const { outcome, failure } = outcomeOf(execution, ended, duet.outcomes);
  if (outcome === null)
    return [
      { ...measured, outcome, failure },
      { ...measured, outcome, failure },
    ];
  return [
    { ...measured, outcome: outcome[0], failure },
    { ...measured, outcome: outcome[1], failure },
  ];
}

function measuredOf({ invocation }: Execution, ended: ExecutionRun) {
  const { startedNs, durationNs, cpuNs, exitCode, signal, timedOut, stdout, stderr, files } = ended;
  const raw = { 'stdout.txt': stdout, 'stderr.txt': stderr, ...files };
  return {
    startedNs,
    durationNs,
    cpuNs,
    exitCode,
    signal,
    timedOut,
    raw: Object.fromEntries(
      Object.entries(raw).filter(([name, content]) => content !== '' && name !== invocation.largeResult?.name),
    ),
  };
}

type Result<Outcome> = { outcome: Outcome; failure: null } | { outcome: null; failure: string };

function outcomeOf<Outcome>(
  { name, invocation }: Execution,
  ended: ExecutionRun,
  read: (output: GeneratorOutput) => Outcome,
): Result<Outcome> {
  const seconds = (ended.durationNs / 1e9).toFixed(1);
  if (ended.timedOut) {
    return failed(
      `${name} was still running after ${seconds} s, though it should have ended by itself within ${invocation.timeoutSeconds} s; it was killed, and what it had measured is lost.${invocation.killedHint === undefined ? '' : ` ${invocation.killedHint}`}`,
    );
  }
  if (ended.signal !== null) {
    return failed(
      `${name} was ended by ${ended.signal} from outside after ${seconds} s, and what it had measured is lost. Where nobody did that, the machine may have run out of memory (\`dmesg\` says so).`,
    );
  }
  try {
    return { outcome: read(ended), failure: null };
  } catch (error) {
    if (error instanceof UnreadableOutput) return failed(error.message);
    throw error;
  }
}

const failed = (failure: string): { outcome: null; failure: string } => ({ outcome: null, failure });
