import { BUILD_ARGUMENT, WHERE_EXPLAINED } from '../config/builds.ts';
import type { Reason } from '../measurement/names.ts';
import { metricNamed, metrics } from '../metrics/registry.ts';
import type { CaseComparison, Comparison, GateEntry } from './comparison.ts';

/** Code of what `layoutWarning` says. */
export const LAYOUT_WARNING = 'code-layout';

const SIDES = ['baseline', 'candidate'] as const;
/** Twice what another order of the same functions was seen to cost a Go server: a larger change has another cause. */
const MOST_FROM_LAYOUT = 0.15;

/**
 * Says that the layout of the code alone could be the cause, where every regression is one of CPU or throughput without
 * another query, statement or byte, and one build of a side was compared; else null.
 */
export function layoutWarning(comparison: Comparison): Reason | null {
  const { mode, gate, cases, endpoints, services } = comparison;
  // Numbers of another day have causes that several builds of today do not show.
  if (mode === 'stored' || gate.regressions.length === 0) return null;
  const compared = [...cases, ...endpoints, ...services];
  const explained = gate.regressions.every((entry) => {
    const of = compared.find(({ key }) => key === entry.caseKey);
    return of !== undefined && sidesOfOneBuild(comparison, of.service).length > 0 && couldBeLayout(entry, of, cases);
  });
  if (!explained) return null;
  const sides = SIDES.filter((side) =>
    compared.some(({ service }) => sidesOfOneBuild(comparison, service).includes(side)),
  );
  const red = metrics.flatMap(({ name, words }) =>
    gate.regressions.some(({ metric }) => metric === name) ? [words.short] : [],
  );
  const message =
    `Only ${red.join(' and ')} got worse, with the same queries, rows and bytes, and one build of ` +
    `${sides.length === 2 ? 'each side' : `the ${sides[0]}`} was compared: in a compiled service, a different code layout ` +
    `alone can do this; to find out, set \`gate.builds: 5\` and let the Dockerfile pass \`${BUILD_ARGUMENT}\` to the linker ${WHERE_EXPLAINED}.`;
  return { code: LAYOUT_WARNING, message };
}

function sidesOfOneBuild(comparison: Comparison, service: string): (typeof SIDES)[number][] {
  return SIDES.filter((side) => !Object.hasOwn(comparison[side].builds ?? {}, service));
}

function couldBeLayout({ metric }: GateEntry, of: CaseComparison, cases: readonly CaseComparison[]): boolean {
  const { metrics: own, explanation } = of;
  if (metric === null || metricNamed(metric)?.movedByCodeLayout !== true) return false;
  const found = own[metric];
  // A limit of the level is broken whatever the baseline costs.
  if (found?.verdict !== 'regression' || Math.abs(found.change ?? 0) > MOST_FROM_LAYOUT) return false;
  if ([of, ...cases.filter((each) => isPartOf(each, of))].some(countsDiffer)) return false;
  const { cpuUs = null, statements = [] } = explanation ?? {};
  if (statements.some(({ baseline, candidate }) => baseline.calls !== candidate.calls)) return false;
  // The database is the same program on both sides.
  return cpuUs === null || cpuUs.service > cpuUs.database;
}

/** What is judged for a service names no endpoint. */
function isPartOf({ service, endpoint }: CaseComparison, whole: CaseComparison): boolean {
  return service === whole.service && (whole.endpoint === '*' || endpoint === whole.endpoint);
}

/** An endpoint or a service has only the counts that are limited, its cases all of them. */
function countsDiffer({ metrics: own }: CaseComparison): boolean {
  return metrics.some(({ name, ofPass }) => ofPass !== undefined && (own[name]?.direction ?? 'unclear') !== 'unclear');
}
