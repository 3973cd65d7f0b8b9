/** What is wrong with a spec, and how it is told: like a compiler does, every mistake at once. */

import { printable } from '../format/quoted.ts';
import { UserError } from '../user-error.ts';

export type DiagnosticCode =
  | 'unreadable'
  | 'syntax'
  | 'duplicate-key'
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-value'
  | 'wrong-name'
  | 'unknown-name'
  | 'contradiction'
  | 'missing-file'
  | 'unknown-image'
  | 'undetectable-limit'
  | 'short-budget';

export interface Diagnostic {
  code: DiagnosticCode;
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
  /** Of the underlined part of that line, 1 at least. */
  length: number;
  /** Where in the spec, as `services.go.port`; '' for the whole of it. */
  path: string;
  /** One line, without the position. */
  message: string;
  /** What stood there, shortened; null where nothing did. */
  found: string | null;
  expected: string | null;
  /** The right word that is nearest to the wrong one. */
  nearest: string | null;
  /** Until `withoutConsequences`: paths of keys that are missed; each of them, written right, would do. */
  lacks?: readonly string[];
}

/**
 * Mistakes without those that follow from another one: who writes `imag` is told that, and not as well that `image` is missing. A key that
 * is missed is one of a misspelt one's section, and nearest to it.
 */
export function withoutConsequences(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const meant = new Set(
    diagnostics.flatMap(({ code, path, found, nearest }) =>
      code === 'unknown-key' && nearest !== null ? [path.slice(0, path.length - (found ?? '').length) + nearest] : [],
    ),
  );
  return diagnostics.flatMap(({ lacks = [], ...diagnostic }) =>
    lacks.some((path) => meant.has(path)) ? [] : [diagnostic],
  );
}

/** The only thing that reading a spec throws; `diagnostics` holds at least one, in the order of the file, and the message shows each with its line. */
export class SpecError extends UserError {
  override name = 'SpecError';
  readonly diagnostics: Diagnostic[];
  constructor(diagnostics: Diagnostic[], text: string) {
    super(renderDiagnostics(diagnostics, text));
    this.diagnostics = diagnostics;
  }
}

/** More lines than this help nobody; the rest is counted. */
const MOST_RENDERED = 50;
/** Of a longer source line, only the part around the mistake is shown. */
const WIDEST_LINE = 160;

/** How a terminal is made to show the parts of a diagnostic; plain where it is none. */
export interface DiagnosticStyle {
  place(text: string): string;
  mark(text: string): string;
  source(text: string): string;
}

const asItIs = (text: string) => text;
const plainDiagnostics: DiagnosticStyle = { place: asItIs, mark: asItIs, source: asItIs };

/**
 * Every mistake with its source line and a caret, `text` being the spec:
 *
 *     wrkbench.yml:12:5: unknown key `conections` in load.wrk: did you mean `connections`?
 *       12 |     conections: [100]
 *          |     ^^^^^^^^^^
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  text: string,
  style: DiagnosticStyle = plainDiagnostics,
): string {
  const lines = text.split(/\r\n|\n|\r/);
  const shown = diagnostics.slice(0, MOST_RENDERED);
  const width = Math.max(...shown.map(({ line }) => String(line).length));
  const blocks = shown.map((diagnostic) => {
    const source = lines[diagnostic.line - 1];
    return source === undefined
      ? headline(diagnostic, style)
      : `${headline(diagnostic, style)}\n${excerpt(diagnostic, source, width, style)}`;
  });
  const rest = diagnostics.length - shown.length;
  if (rest > 0) blocks.push(`and ${rest} more`);
  return `${blocks.join('\n\n')}\n`;
}

function headline({ file, line, column, message }: Diagnostic, style: DiagnosticStyle): string {
  return `${style.place(`${file}:${line}:${column}:`)} ${message}`;
}

function excerpt({ line, column, length }: Diagnostic, source: string, width: number, style: DiagnosticStyle): string {
  const start = column > WIDEST_LINE - 40 ? column - 40 : 0;
  const part = printable(source.slice(start, start + WIDEST_LINE));
  const before = printable(source.slice(start, column - 1)).replaceAll(/[^\t]/g, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min(length, part.length - before.length)));
  const gutter = (label: string) => style.source(`  ${label.padStart(width)} |`);
  return `${gutter(String(line))} ${part}\n${gutter('')} ${before}${style.mark(carets)}`;
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
