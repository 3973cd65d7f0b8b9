import { type Inline, joined } from '../report/document.ts';
import { inlineMarkdown } from '../report/markdown/blocks.ts';

/** Where more is to be had of a run; null where it is nowhere. */
export interface RunLinks {
  /** Its files, zipped. */
  report: string | null;
  trend: string | null;
  run: string;
}

/** `Report (report.html, zipped) · Trend · This run`, each a link. */
export function linksMarkdown({ report, trend, run }: RunLinks): string {
  const links: Inline[] = [
    ...(report === null ? [] : [{ url: report, text: 'Full report (report.html, zipped)' }]),
    ...(trend === null ? [] : [{ url: trend, text: 'Trend' }]),
    { url: run, text: 'This run' },
  ];
  return inlineMarkdown(joined(links, ' · '));
}
