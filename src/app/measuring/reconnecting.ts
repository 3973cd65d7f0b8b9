import type { Case } from '../../core/config/case.ts';
import { isWriting } from '../../core/config/writes.ts';
import type { UnloadedPass } from '../../core/measurement/measurement.ts';
import { passKey } from './unloaded-passes.ts';

/**
 * Cases that a service can be loaded with until it has its connections again without changing anything: those whose endpoint asks the
 * database, on every side that was counted.
 */
export function readingCases(cases: readonly Case[], passes: readonly UnloadedPass[]): Case[] {
  const asks = ({ statements }: UnloadedPass) => (statements ?? []).some(({ calls }) => calls > 0);
  return cases.filter((testCase) => {
    if (isWriting(testCase.endpoint)) return false;
    const own = passes.filter(
      ({ service, route, endpoint }) =>
        service === testCase.service.name && `${route} ${endpoint}` === passKey(testCase),
    );
    return own.length > 0 && own.every(asks);
  });
}

/**
 * What is loaded once data were put back, before a case: itself where it only reads, else one that reads by the same way, as like it as
 * there is. Without such a one a case that writes begins with what that load has written, which is as much as a side was fast.
 */
export function reconnectingCase(testCase: Case, reading: readonly Case[]): Case {
  if (reading.some(({ key }) => key === testCase.key)) return testCase;
  const likeness = ({ keepAlive, connections }: Case) =>
    (connections === testCase.connections ? 2 : 0) + (keepAlive === testCase.keepAlive ? 1 : 0);
  const others = reading.filter(({ route }) => route === testCase.route);
  const [best] = others.toSorted(
    (one, other) => likeness(other) - likeness(one) || other.connections - one.connections,
  );
  return best ?? testCase;
}
