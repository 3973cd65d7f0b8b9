import type { Reason } from '../record/run-record.ts';
import { BUILD_ARGUMENT, WHERE_EXPLAINED } from '../topology/builds.ts';
import type { CaseComparison, Comparison, GateEntry } from './comparison.ts';

/** Metrics that the layout of the code moves, and what a sentence calls them. */
const MOVED_BY_LAYOUT = new Map([
  ['cpu-per-request', 'CPU per request'],
  ['throughput', 'throughput'],
]);
/** Code of what `layoutCaution` says. */
export const LAYOUT_CAUTION = 'code-layout';

const SIDES = ['baseline', 'candidate'] as const;
const COUNTS = ['queries-per-request', 'rows-per-request', 'bytes-per-response'];
/** Twice what another order of the same functions was seen to cost a Go server: a larger change has another cause. */
const MOST_FROM_LAYOUT = 0.15;

/**
 * Says that the layout of the code alone could be the cause, where every regression is one of CPU or throughput without
 * another query, statement or byte, and one build of a side was compared; else null.
 */
export function layoutCaution(comparison: Comparison): Reason | null {
  const { mode, gate, cases, endpoints, services } = comparison;
  // Numbers of another day have causes that several builds of today do not show.
  if (mode === 'stored' || gate.regressions.length === 0) return null;
  const compared = [...cases, ...endpoints, ...services];
  const explained = gate.regressions.every((entry) => {
    const of = compared.find(({ key }) => key === entry.caseKey);
    return of !== undefined && sidesOfOneBuild(comparison, of.service).length > 0 && couldBeLayout(entry, of);
  });
  if (!explained) return null;
  const sides = SIDES.filter((side) =>
    compared.some(({ service }) => sidesOfOneBuild(comparison, service).includes(side)),
  );
  const red = [...MOVED_BY_LAYOUT].flatMap(([name, title]) =>
    gate.regressions.some(({ metric }) => metric === name) ? [title] : [],
  );
  const message =
    `Only ${red.join(' and ')} got worse, with the same queries, rows and bytes, and one build of ` +
    `${sides.length === 2 ? 'each side' : `the ${sides[0]}`} was compared: in a compiled service, a different code layout ` +
    `alone can do this; to find out, set \`gate.builds: 5\` and let the Dockerfile pass \`${BUILD_ARGUMENT}\` to the linker ${WHERE_EXPLAINED}.`;
  return { code: LAYOUT_CAUTION, message };
}

function sidesOfOneBuild(comparison: Comparison, service: string): (typeof SIDES)[number][] {
  return SIDES.filter((side) => !Object.hasOwn(comparison[side].builds ?? {}, service));
}

function couldBeLayout({ metric }: GateEntry, { metrics, explanation }: CaseComparison): boolean {
  if (metric === null || !MOVED_BY_LAYOUT.has(metric)) return false;
  const found = metrics[metric];
  // A limit of the level is broken whatever the baseline costs.
  if (found?.verdict !== 'regression' || Math.abs(found.change ?? 0) > MOST_FROM_LAYOUT) return false;
  if (COUNTS.some((name) => (metrics[name]?.direction ?? 'unclear') !== 'unclear')) return false;
  const { cpuUs = null, statements = [] } = explanation ?? {};
  if (statements.some(({ baseline, candidate }) => baseline.calls !== candidate.calls)) return false;
  // The database is the same program on both sides.
  return cpuUs === null || cpuUs.service > cpuUs.database;
}
