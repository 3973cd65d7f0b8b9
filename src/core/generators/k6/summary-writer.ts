import summary from '../../../../templates/k6/summary.k6.js';
import { filled } from '../../format/template.ts';
import { literal } from './literal.ts';

export const SUMMARY = 'summary.json';

/** The JSON to a file, with what only we know (`own`, JavaScript); to standard output the lines of k6's own text that can be read again. */
export function handleSummary(summaryPath: string, own: string): string {
  return `\n${filled(summary, { __SUMMARY_PATH__: literal(summaryPath), __OWN__: own })}`;
}
