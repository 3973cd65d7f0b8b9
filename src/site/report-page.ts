import type { PageData } from '../core/report/html/page-data.ts';
import { changedOnly } from './changed-only.ts';
import { chartsSection } from './charts-section.ts';
import { unfoldForPrint, unfoldTargets } from './folding.ts';
import { sortableTables } from './sorting.ts';

/** The page's script: charts over the tables that are in the page already, and what makes these easier to read. */

const text = document.getElementById('page-data')?.textContent ?? '';

unfoldTargets();
// Before the charts, which show copies of tables: what is a button in one is a button in the other.
sortableTables();
changedOnly();
const charts = chartsSection(JSON.parse(text) as PageData);
unfoldForPrint({ before: () => charts.setPrinting(true), after: () => charts.setPrinting(false) });
