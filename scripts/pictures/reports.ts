import pageScript from 'wrkbench:report-page';
import { renderReport } from '../../src/app/report.ts';
import { eachWay, type Picture } from './picture.ts';
import { examples } from './verdicts.ts';

/** Pixels of the report's beginning that documents show. */
const SHOWN = 900;

/** The report of every verdict that has a record; that of a regression is kept. */
export function pictures(): Picture[] {
  return Object.entries(examples).flatMap(([name, { judged }]) =>
    judged.flatMap(({ record, comparison }) => {
      const html = renderReport(record, 'html', { pageScript }, comparison);
      return eachWay(`report-${name}`, html, () => name === 'regression', SHOWN);
    }),
  );
}
