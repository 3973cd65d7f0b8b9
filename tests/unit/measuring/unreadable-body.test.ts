import { describe, expect, it } from 'vitest';
import { verifiedPasses } from '../../../src/app/measuring/verification.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import type { Answer } from '../../../src/core/verification/answer.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';
import { testCase } from '../support/trials.ts';

const NEVER = new AbortController().signal;

/** What is lost of an endpoint that these generators load, what is passed without load, and what is said. */
async function verified(
  generators: readonly ('wrk' | 'k6' | 'ab' | 'h2load')[],
  ending: { endsWithConnection?: true },
) {
  const journal: JournalEntry[] = [];
  const { adapters } = fakeMeasuring({}, journal);
  const body = new TextEncoder().encode('hello');
  const answer: Answer = { kind: 'answered', status: 200, headers: {}, body, wireBytes: 60, ...ending };
  const warnings: string[] = [];
  const given = {
    ...adapters,
    probe: { ...adapters.probe, ask: async () => answer },
    progress: { ...adapters.progress, warn: (message: string) => void warnings.push(message) },
  };
  const { endpoint, ...rest } = testCase();
  const expected = { status: 200, contentType: null, body: null, sizeBytes: null, matches: null };
  const cases = generators.flatMap((generator) =>
    [8, 100].map((connections) => ({
      ...{ ...rest, generator, connections, key: `${generator}/${connections}` },
      endpoint: { ...endpoint, expect: expected },
    })),
  );
  const request = { service: cases[0]!.service, variant: 'candidate', round: 1 };
  const testbed = await adapters.runtime.start(request as never, NEVER);
  const { lost, fallen } = await verifiedPasses(testbed, cases, given, NEVER);
  expect(fallen).toBe(null);
  const kinds = journal.map(({ kind }) => kind);
  return { lost: [...lost], passes: kinds.filter((kind) => kind === 'pass').length, warnings, journal };
}

const sentence = (generator: string) =>
  `not loaded: go answers GET /ping with a body that only the end of the connection ends (no Content-Length, not chunked), and ${generator} counts each such answer as a failed request; load it with k6 or ab and keep-alive off, or let the service send a Content-Length`;

describe('an endpoint whose body ends with the connection', () => {
  it('is not loaded by a generator that takes that for a failure, and is told what it is and what to use', async () => {
    const { lost, passes, warnings, journal } = await verified(['wrk'], { endsWithConnection: true });
    expect(lost).toEqual(['wrk/8', 'wrk/100']);
    expect(passes).toBe(0);
    expect(warnings).toEqual([sentence('wrk')]);
    expect(journal).toEqual(
      ['wrk/8', 'wrk/100'].map((caseKey) => ({
        ...{ kind: 'lost', caseKey, variant: 'candidate' },
        reason: { code: 'unreadable-body', message: sentence('wrk') },
      })),
    );
  });

  it('is measured by those that can, beside those that cannot', async () => {
    const { lost, passes, warnings } = await verified(['wrk', 'k6', 'ab', 'h2load'], { endsWithConnection: true });
    expect(lost).toEqual(['wrk/8', 'wrk/100', 'h2load/8', 'h2load/100']);
    expect(passes).toBe(1);
    expect(warnings).toEqual([sentence('wrk'), sentence('h2load')]);
  });
});

describe('an endpoint whose body has a length, or ends with a chunk', () => {
  it('is loaded by all of them', async () => {
    const { lost, passes, warnings } = await verified(['wrk', 'k6', 'ab', 'h2load'], {});
    expect({ lost, passes, warnings }).toEqual({ lost: [], passes: 1, warnings: [] });
  });
});
