import { type Sheet, sheetCsv, sheetJson } from '../../../../core/report/sheet.ts';
import { downloadButton } from '../../download.ts';
import { element } from '../../element.ts';

/** What is to be taken away: made when it is asked for. */
export interface Offer {
  /** Of the file, without its ending. */
  name: string;
  csv(): string;
  json(): string;
}

export function sheetOffer(name: string, sheet: Sheet): Offer {
  return { name, csv: () => sheetCsv(sheet), json: () => sheetJson(sheet) };
}

/** Buttons that save what is shown. */
export function downloads({ name, csv, json }: Offer): HTMLElement {
  const file = name.replace(/[^\w.-]+/g, '-').slice(0, 100);
  return element(
    'p',
    { class: 'downloads' },
    'What is shown, as a file: ',
    downloadButton('CSV', `${file}.csv`, 'text/csv', csv),
    downloadButton('JSON', `${file}.json`, 'application/json', json),
  );
}
