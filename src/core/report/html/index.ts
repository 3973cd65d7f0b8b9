import style from '../../../../templates/report.css';
import page from '../../../../templates/report.html';
import type { Comparison } from '../../comparison/comparison.ts';
import { filled } from '../../format/template.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Section } from '../document.ts';
import { foldedSectionHtml, inlineHtml, sectionHtml } from './blocks.ts';
import { embeddedJson, escapeHtml } from './escape.ts';
import { pageData } from './page-data.ts';
import { pageDocument } from './page-document.ts';

/** What the page carries that is made elsewhere: its script, built from `site/`. */
export interface PageAssets {
  /** Must hold no `</script`; `app/report.ts` sees to it. */
  script: string;
  /** `sha256-…`, base64, of `script`: the only script that the page lets run. */
  scriptHash: string;
}

/**
 * `report.html`: one file that opens offline. It asks nobody for anything, runs no script but its own, and says all it
 * has to say in tables without it.
 */
export function html(record: RunRecord, comparison: Comparison | null, { script, scriptHash }: PageAssets): string {
  const report = pageDocument(record, comparison);
  const { mark } = report;
  const title = escapeHtml(report.title);
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const { leading, following, folded } = report;
  const linked = ({ id, title: name }: Section) => `<a href="#${id}">${inlineHtml(name)}</a>`;
  const contents = [...leading.map(linked), chartsLink, ...[...following, ...folded].map(linked)];
  return filled(page, {
    __POLICY__: policy,
    __TITLE__: title,
    '/* __STYLE__ */': style,
    __VERDICT_CLASS__: mark === null ? '' : ` verdict ${mark}`,
    __HEADLINE__: `${mark === null ? '' : `${inlineHtml({ mark })} `}${inlineHtml(report.headline)}`,
    __CONTENTS__: contents.join('\n'),
    '<!-- __LEADING__ -->': leading.map(sectionHtml).join('\n'),
    '<!-- __FOLLOWING__ -->': [...following.map(sectionHtml), ...folded.map(foldedSectionHtml)].join('\n'),
    __VERSION__: escapeHtml(record.tool.version),
    __RUN__: escapeHtml(record.id),
    __FINISHED_AT__: escapeHtml(record.finishedAt),
    __PAGE_DATA__: embeddedJson(pageData(record, comparison)),
    '/* __SCRIPT__ */': script,
  });
}

/** Hidden as the section is, until the script has drawn something. */
const chartsLink = '<a href="#charts" hidden>Charts</a>';
