/**
 * What a status was judged against, in words at its end, since a forge keeps nothing else with it: the branch that its pull request
 * was to be merged into, or what a run of a branch was compared with. Null where nothing was compared for it.
 */
export type StatusMark = { base: string } | { against: string } | null;

const LONGEST_NAME = 60;

/** ` (base: main)`; empty where there is none. */
export function markText(mark: StatusMark): string {
  if (mark === null) return '';
  return 'base' in mark ? ` (base: ${baseName(mark.base)})` : ` (against ${mark.against})`;
}

/** Of a description as a forge has it. */
export function readMark(description: string): StatusMark {
  const [, kind, name] = / \((base:|against) (\S+)\)$/.exec(description) ?? [];
  if (name === undefined) return null;
  return kind === 'against' ? { against: name } : { base: name };
}

/** The base that a status was judged for, as the mark names it; null where it was judged for none. */
export function markedBase(description: string): string | null {
  const mark = readMark(description);
  return mark !== null && 'base' in mark ? mark.base : null;
}

/** Whether a status speaks for a pull request into that branch. */
export function isOfBase(description: string, branch: string): boolean {
  return markedBase(description) === baseName(branch);
}

/** Both ends of a long one: names of branches often differ in the last part alone. */
function baseName(branch: string): string {
  const name = branch.replace(/[\u{10000}-\u{10ffff}\ud800-\udfff]/gu, '\ufffd');
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, 29)}…${name.slice(-30)}`;
}
