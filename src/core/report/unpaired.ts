import { wrapped } from '../format/text.ts';
import type { RunRecord } from '../record/run-record.ts';
import { clippedLine } from './comparison/clipped-text.ts';
import { isExplained, reasonInShort } from './comparison/deciding-line.ts';
import type { Block, Inline } from './document.ts';
import { plainStyle, type Style } from './terminal-style.ts';

/** What a run says that was to be compared and had nothing to be compared with. */
export interface UnpairedSaid {
  /** There is a baseline, and it could not be had: no pass. */
  failed: boolean;
  title: string;
  warnings: string[];
}

/** Null for a run that was compared, with numbers at least, or that nobody wanted to compare. */
export function unpairedSaid({ unpaired }: RunRecord): UnpairedSaid | null {
  if (unpaired === undefined || unpaired.baseline !== null) return null;
  const { failed, wanted } = unpaired;
  const cause = unpaired.warnings.find(({ message }) => isExplained(message));
  const lost =
    cause === undefined
      ? `: a baseline was asked for (${clippedLine(wanted, 80)}) and is not available, so the gate fails.`
      : `, so the gate fails: ${reasonInShort(cause.message).replace(/^baseline: /, "the baseline's ")}.`;
  const title = failed
    ? `Not compared${lost.replace(/\.\.$/, '.')}`
    : `First measurement: there is no baseline to compare with (${clippedLine(wanted, 80)}).`;
  return { failed, title, warnings: unpaired.warnings.map(({ message }) => clippedLine(message, 500)) };
}

/** The headline of a report; null where it is that of the figures. */
export function unpairedHeadline(record: RunRecord): Inline | null {
  const said = unpairedSaid(record);
  return said?.failed ? said.title : null;
}

/** What stands before the figures. */
export function unpairedBlocks(record: RunRecord): Block[] {
  const said = unpairedSaid(record);
  if (said === null) return [];
  return [{ kind: 'warning', text: [said.title, ...said.warnings].join(' ') }];
}

/** What `run` prints after its table; empty where there is nothing to say. */
export function unpairedText(record: RunRecord, { style = plainStyle, width = 100 } = {} as TextOptions): string {
  const said = unpairedSaid(record);
  if (said === null) return '';
  const title = wrapped(`${said.failed ? '✗' : '–'} ${said.title}`, width);
  const warnings = said.warnings.flatMap((warning) => wrapped(`! ${warning}`, width));
  return [...title.map(said.failed ? style.red : style.bold), ...warnings.map(style.yellow)].join('\n');
}

interface TextOptions {
  style?: Style;
  width?: number;
}
