import type { Reason } from '../measurement/names.ts';
import { isOfSeveralModels } from '../record/different-machines.ts';
import type { Environment, RunRecord } from '../record/run-record.ts';
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

/** What is not alike of two machines: a code, and both figures after the words before them. */
export interface OtherCondition {
  code: string;
  what: string;
  was: string | number;
  is: string | number;
}

/** Why figures of the one say nothing of figures of the other; empty where they do. */
export function differingConditions(base: Environment, head: Environment): OtherCondition[] {
  const cpus = ({ placement }: Environment) =>
    `service ${placement.service}, database ${placement.database}, generator ${placement.generator}`;
  const all: OtherCondition[] = [
    { code: 'other-cpu-model', what: 'on', was: base.cpuModel, is: head.cpuModel },
    { code: 'other-cpu-count', what: 'on a machine whose CPUs number', was: base.cpuCount, is: head.cpuCount },
    { code: 'other-runtime', what: 'with runtime', was: base.runtime, is: head.runtime },
    { code: 'other-placement', what: 'with the placement', was: cpus(base), is: cpus(head) },
  ];
  // Of those that were shared out over the same two models, each may have a case on the other one.
  const isApart = ({ code }: OtherCondition) => code === 'other-cpu-model' && isOfSeveralModels(base.cpuModel);
  return all.filter((each) => each.was !== each.is || isApart(each));
}

/** The same in sentences, of a baseline and a candidate. Exact counts are the same on every machine. */
export function otherConditions(base: RunRecord, head: RunRecord): Reason[] {
  return differingConditions(base.environment, head.environment).map(({ code, what, was, is }) => ({
    code,
    message: `The baseline was measured ${what} ${was}, the candidate ${what} ${is}: only exact counts can be compared.`,
  }));
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
