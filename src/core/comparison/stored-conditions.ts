import type { Reason } from '../measurement/names.ts';
import type { RunRecord } from '../record/run-record.ts';
import { UserError } from '../user-error.ts';

/** The two records are no baseline and candidate of anything; the message says why, and what to do. */
export class NotComparable extends UserError {
  override name = 'NotComparable';
}

/** Throws `NotComparable` where the call can only be a mistake. */
export function refuseUnrelated(base: RunRecord, head: RunRecord): void {
  if (base.id === head.id) {
    throw new NotComparable(`Both are the same run, ${base.id}: name the record of another one.`);
  }
  if (base.spec.name !== head.spec.name) {
    throw new NotComparable(
      `The baseline is of the spec "${base.spec.name}", the candidate of "${head.spec.name}": two specs measure different ` +
        'things. Name two records of the same spec.',
    );
  }
}

/**
 * Why figures of the one say nothing of figures of the other; empty where they do. Exact counts are the same on every
 * machine.
 */
export function otherConditions(base: RunRecord, head: RunRecord): Reason[] {
  const [was, is] = [base.environment, head.environment];
  const found: Reason[] = [];
  const differ = (code: string, what: string, one: string | number, other: string | number) => {
    if (one === other) return;
    const message = `The baseline was measured ${what} ${one}, the candidate ${what} ${other}: only exact counts can be compared.`;
    found.push({ code, message });
  };
  differ('other-cpu-model', 'on', was.cpuModel, is.cpuModel);
  differ('other-cpu-count', 'on a machine whose CPUs number', was.cpuCount, is.cpuCount);
  differ('other-runtime', 'with runtime', was.runtime, is.runtime);
  const cpus = ({ placement }: RunRecord['environment']) =>
    `service ${placement.service}, database ${placement.database}, generator ${placement.generator}`;
  differ('other-placement', 'with the placement', cpus(was), cpus(is));
  return found;
}

/** What two stored records can never tell, and what is odd about these two. */
export function storedWarnings(base: RunRecord, head: RunRecord): Reason[] {
  const warnings = [
    {
      code: 'stored-numbers',
      message:
        'These are figures of runs that shared no moment of a machine: a change is distinguished from noise only by how past ' +
        'runs scattered around the median of the five before them, and that median is the baseline. ' +
        '`wrkbench run --baseline` measures both sides together and detects far smaller changes.',
    },
    ...otherConditions(base, head),
  ];
  if (base.startedAt > head.startedAt) {
    warnings.push({
      code: 'newer-baseline',
      message: 'The baseline is newer than the candidate: are the two swapped?',
    });
  }
  const kernels = [base, head].map(({ environment }) => environment.kernel);
  if (kernels[0] !== kernels[1]) {
    const message = `The kernel was ${kernels[0]} and is ${kernels[1]}: what changed may be its doing.`;
    warnings.push({ code: 'other-kernel', message });
  }
  const tools = [base, head].map(({ tool }) => tool.version);
  if (tools[0] !== tools[1]) {
    const message = `The baseline was measured by wrkbench ${tools[0]}, the candidate by ${tools[1]}.`;
    warnings.push({ code: 'other-wrkbench', message });
  }
  if (head.comparing !== undefined) {
    const message =
      `The candidate was measured side by side with ${head.comparing.baseline.text}: that comparison shows more than ` +
      'this one, and is in its own report (`wrkbench report`).';
    warnings.push({ code: 'measured-beside-another', message });
  }
  return warnings;
}
