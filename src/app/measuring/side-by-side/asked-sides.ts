import type { Case } from '../../../core/config/case.ts';
import type { Reason, Variant } from '../../../core/measurement/names.ts';
import { type Testbed, TestbedError } from '../../ports/testbed.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { type AskedEndpoints, askedEndpoints, filledCases } from '../asked-endpoints.ts';
import { testbedFailureReason } from '../testbed-failure.ts';
import { caseOf, type Fallen, type OfEach, type Side, type Testbeds, VARIANTS } from './sides.ts';

export interface AskedSides {
  /** With what each side is asked filled in; keys that a database makes up are each side's own. */
  sides: OfEach<Side>;
  /** Keys of cases that cannot be asked. */
  lost: Set<string>;
  fallen: Fallen | null;
}

/**
 * Fills in what both sides are asked, which is read from the files of the baseline and each side's own database. Cases that cannot be asked,
 * or not as much on both sides, are lost on both; they are in the journal when it resolves.
 */
export async function askedSides(
  cases: readonly Case[],
  { sides, testbeds }: { sides: OfEach<Side>; testbeds: Testbeds },
  adapters: MeasuringAdapters,
): Promise<AskedSides> {
  const found = {} as OfEach<AskedEndpoints>;
  for (const variant of VARIANTS) {
    const own = cases.map((testCase) => caseOf(testCase, sides[variant]));
    try {
      found[variant] = await askedEndpoints(testbeds[variant], own, sides[variant].spec.endpoints, adapters);
    } catch (error) {
      if (!(error instanceof TestbedError)) throw error;
      return { sides, lost: new Set(), fallen: await fallenOf(variant, error, testbeds[variant]) };
    }
  }
  const filled = { baseline: filledSide('baseline'), candidate: filledSide('candidate') };
  const lost = new Map([...lossesOf('baseline'), ...lossesOf('candidate'), ...unlike(cases, found)]);
  for (const message of new Set([...lost.values()].map((reason) => reason.message))) adapters.progress.warn(message);
  for (const [caseKey, reason] of lost) {
    for (const variant of VARIANTS) await adapters.store.journal.append({ kind: 'lost', caseKey, variant, reason });
  }
  return { sides: filled, lost: new Set(lost.keys()), fallen: null };

  function filledSide(variant: Variant): Side {
    const { spec } = sides[variant];
    const endpoints = spec.endpoints.map((each) => found[variant].asked.get(each.name) ?? each);
    return { ...sides[variant], spec: { ...spec, endpoints } };
  }

  function lossesOf(variant: Variant): Map<string, Reason> {
    return filledCases(
      cases.map((testCase) => caseOf(testCase, sides[variant])),
      found[variant],
    ).lost;
  }
}

/** Of as many different requests on one side as on the other the n-th of both stand at the same place of the order. */
function unlike(cases: readonly Case[], { baseline, candidate }: OfEach<AskedEndpoints>): [string, Reason][] {
  return cases.flatMap(({ key, endpoint: { name } }): [string, Reason][] => {
    const [before, now] = [baseline, candidate].map(({ asked }) => asked.get(name)?.requestSet?.requests.length);
    if (before === undefined || now === undefined || before === now) return [];
    const message = `${name} has ${before} different requests on the baseline's side and ${now} on the candidate's, since their databases hold other data: the two would not be asked the same. Let both have as many rows.`;
    return [[key, { code: 'unusable-requests', message }]];
  });
}

async function fallenOf(variant: Variant, error: TestbedError, testbed: Testbed): Promise<Fallen> {
  return { variant, reason: testbedFailureReason(testbed.service, (await testbed.failure()) ?? error) };
}
