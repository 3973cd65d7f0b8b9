import { isMeasuredApart } from '../../record/different-machines.ts';
import { type Entry, metricOf, type Test } from '../view.ts';

/** Two tests that differ in one thing only, and the services that are valid in both. */
export interface Counterpart {
  one: Test;
  other: Test;
  services: { entry: Entry; one: number; other: number; counter: Entry }[];
}

/** Keep-alive on beside keep-alive off: throughput of both. */
export function keepAliveCounterparts(tests: Test[]): Counterpart[] {
  return counterparts(tests, 'keepAlive', (test) => test.keepAlive);
}

/** Direct beside through the gateway: throughput of both. */
export function gatewayCounterparts(tests: Test[]): Counterpart[] {
  return counterparts(tests, 'route', (test) => test.route === 'direct');
}

function counterparts(
  tests: Test[],
  differing: 'keepAlive' | 'route',
  isFirst: (test: Test) => boolean,
): Counterpart[] {
  return tests.filter(isFirst).flatMap((one): Counterpart[] => {
    const other = tests.find((test) => !isFirst(test) && alike(one, test, differing));
    if (other === undefined) return [];
    const services = one.entries.flatMap((entry) => {
      const counter = other.entries.find(({ label }) => label === entry.label);
      if (counter === undefined || !entry.valid || !counter.valid || isMeasuredApart(entry.record)) return [];
      const values = [metricOf(entry.record, 'throughput'), metricOf(counter.record, 'throughput')] as const;
      return values[0] === null || values[1] === null ? [] : [{ entry, counter, one: values[0], other: values[1] }];
    });
    return services.length === 0 ? [] : [{ one, other, services }];
  });
}

function alike(one: Test, other: Test, differing: 'keepAlive' | 'route'): boolean {
  const same = (['endpoint', 'generator', 'connections', 'load', 'keepAlive', 'route'] as const).filter(
    (part) => part !== differing,
  );
  return same.every((part) => one[part] === other[part]);
}
