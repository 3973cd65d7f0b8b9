import type { TrialMeasurement } from '../measurement/measurement.ts';
import { costOf } from '../metrics/cpu.ts';
import { median } from '../statistics/quantile.ts';
import { published } from './published.ts';
import type { CaseRecord } from './run-record.ts';

/** What each dependency used by itself, of the trials that published figures are of; nothing where there are none. */
export function dependencyFigures(trials: readonly TrialMeasurement[]): Pick<CaseRecord, 'dependencies'> {
  const shown = published(trials);
  const names = new Set(shown.flatMap(({ cpu }) => Object.keys(cpu.dependenciesNs ?? {})));
  if (names.size === 0) return {};
  const figures = [...names].map((name) => {
    const costs = shown.flatMap((trial) => {
      const cost = costOf(trial, ['dependenciesNs'], name);
      return cost === null ? [] : [cost.ns / 1000 / cost.requests];
    });
    const peaks = shown.flatMap(({ memory }) => memory.dependencyPeakBytes?.[name] ?? []);
    return [
      name,
      {
        ...(costs.length === 0 ? {} : { cpuPerRequestUs: median(costs) }),
        ...(peaks.length === 0 ? {} : { memoryPeakBytes: Math.max(...peaks) }),
      },
    ] as const;
  });
  return { dependencies: Object.fromEntries(figures) };
}
