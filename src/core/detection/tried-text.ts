import { plain, scalar } from './spec-text.ts';

/** What is said beside an endpoint or a service that is not as expected; one line of it. */
export interface Remark {
  name: string;
  why: string;
}

/** A spec with these endpoints commented out, each with its reason; all of them stay where none would be left. */
export function withoutEndpoints(text: string, remarks: readonly Remark[], isAll: boolean): string {
  return remarks.reduce((spec, remark) => withRemark(spec, 'endpoints', remark, !isAll), text);
}

/** A spec with the reason beside each service that did not come up. */
export function withServiceRemarks(text: string, remarks: readonly Remark[]): string {
  return remarks.reduce((spec, remark) => withRemark(spec, 'services', remark, false), text);
}

function withRemark(text: string, section: string, { name, why }: Remark, isOut: boolean): string {
  const lines = text.split('\n');
  const start = lines.indexOf(`${section}:`);
  const first = lines.findIndex((line, index) => index > start && line.startsWith(`  ${scalar(name)}:`));
  if (start < 0 || first < 0) return text;
  const length = lines.slice(first + 1).findIndex((line) => !line.startsWith('    '));
  const end = length < 0 ? lines.length : first + 1 + length;
  const block = lines.slice(first, end);
  const reason = `  # tried by init --try: ${plain(why.split('\n')[0]!).slice(0, 300)}`;
  const kept = isOut ? block.map((line) => `  # ${line.slice(2)}`) : block;
  return [...lines.slice(0, first), reason, ...kept, ...lines.slice(end)].join('\n');
}
