import type { Finding } from './finding.ts';

const MARKS: Record<Finding['severity'], string> = { ok: '✓', warning: '!', problem: '✗' };

export interface TextOptions {
  /** Columns that messages are wrapped to; commands never are, so that they can be copied. */
  width: number;
  /** Colours a mark; by default it stays as it is. */
  paint?: (severity: Finding['severity'], text: string) => string;
}

/**
 * One line for each finding, its command on a line of its own below, and a sentence at the end.
 *
 *     ✓ wrk         4.1.0 (/usr/bin/wrk)
 *     ✗ k6          k6 is not on this machine. It drives 2 cases.
 *                   go install go.k6.io/k6/v2@v2.1.0
 */
export function findingsText(findings: readonly Finding[], { width, paint }: TextOptions): string {
  const column = Math.max(0, ...findings.map(({ code }) => code.length)) + 4;
  const indent = ' '.repeat(column);
  const blocks = findings.map(({ code, severity, message, command }) => {
    const mark = paint?.(severity, MARKS[severity]) ?? MARKS[severity];
    const [first = '', ...more] = wrapped(message, Math.max(40, width - column));
    const lines = [`${mark} ${code.padEnd(column - 2)}${first}`, ...more.map((line) => indent + line)];
    if (command !== null) lines.push(indent + command);
    return lines.join('\n');
  });
  return `${[...blocks, '', conclusion(findings)].join('\n')}\n`;
}

/** `1 problem, 2 warnings: …` */
export function conclusion(findings: readonly Finding[]): string {
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const noted = warnings === 0 ? '' : warnings === 1 ? '1 warning' : `${warnings} warnings`;
  if (problems === 0) return noted === '' ? 'Nothing is missing.' : `Nothing is missing; ${noted}.`;
  const found = problems === 1 ? '1 problem' : `${problems} problems`;
  return `${found}${noted === '' ? '' : `, ${noted}`}: wrkbench run does not start until ${problems === 1 ? 'it is' : 'they are'} fixed.`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
