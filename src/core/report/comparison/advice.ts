import type { Comparison } from '../../comparison/comparison.ts';
import { counted } from '../../format/figures.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { asideCount } from '../../validity/set-aside.ts';
import type { Inline } from '../document.ts';
import { notMeasuredAdvice } from './not-measured.ts';
import { undecidedAdvice } from './undecided.ts';

/** What a reader can do where a budget did not decide, and what the machine did meanwhile: a sentence each. */
export function advice(comparison: Comparison, record: RunRecord): Inline[] {
  const open = [notMeasuredAdvice(comparison, record), undecidedAdvice(comparison)].filter((said) => said !== null);
  const machine = open.length === 0 ? null : machineSaid(record);
  return machine === null ? open : [...open, machine];
}

/** Code of a mark → who took CPU, and whose. */
const TAKERS = new Map([
  ['foreign-cpu', ['other processes', 'server']],
  ['steal', ['the hypervisor', 'server']],
  ['foreign-cpu-generator', ['other processes', 'generator']],
]);

/**
 * What the machine did meanwhile, where the record says so: `Other processes took 12 % of the server's CPUs at times (in 3 of 20 cases);
 * 12 of 160 measurements of 5 cases were set aside as disturbed.` Null where it was quiet.
 */
function machineSaid(record: RunRecord): string | null {
  const taken = takenText(record);
  const aside = asideText(record);
  const said = [taken, aside].filter((each) => each !== null).join('; ');
  return said === '' ? null : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

function takenText({ cases }: RunRecord): string | null {
  const all = new Set(cases.map(({ key }) => key));
  const disturbed = new Set<string>();
  const parts = [...TAKERS].flatMap(([code, [who, whose]]) => {
    const found = cases.flatMap(({ key, warnings }) =>
      warnings.filter((mark) => mark.code === code).map((mark) => [key, mark] as const),
    );
    for (const [key] of found) disturbed.add(key);
    const shares = found.flatMap(([, { message }]) => /(\d+) %/.exec(message)?.[1] ?? []).map(Number);
    if (found.length === 0) return [];
    return [`${who} took ${shares.length === 0 ? 'a part' : `${Math.max(...shares)} %`} of the ${whose}'s CPUs`];
  });
  if (parts.length === 0) return null;
  return `${parts.join(', ')} at times (in ${disturbed.size} of ${counted(all.size, 'case')})`;
}

/** Of the candidate: what is set aside of one side is of the other as well. */
function asideText({ cases }: RunRecord): string | null {
  const counts = cases.flatMap(({ variant, warnings }) =>
    variant === 'candidate' ? warnings.flatMap((mark) => asideCount(mark) ?? []) : [],
  );
  const aside = counts.reduce((sum, each) => sum + each.aside, 0);
  const all = counts.reduce((sum, each) => sum + each.all, 0);
  return aside === 0
    ? null
    : `${aside} of ${counted(all, 'measurement')} of ${counted(counts.length, 'case')} were set aside as disturbed`;
}
