import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { headline } from '../../../src/core/report/sections/summary.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

const EXITED =
  'api: The service exited with status 1 before it was ready. Its last log lines say why.\n    KeyError: SHOP_REGION is not set';
const NOT_BUILT =
  'web: The image of service web cannot be built from ./Dockerfile (1). The last lines:\n    ./main.go:12:2: undefined: shop';

/** As a run without a baseline leaves it: services that failed, and no case of them measured. */
function said(messages: readonly string[], over: Partial<RunRecord> = {}): string {
  const record = fixtureRecord('small');
  const services = messages.map((message) => ({
    ...record.services[0]!,
    service: /^\w+/.exec(message)![0],
    failure: { code: 'failed', message },
  }));
  return inlineText(headline(viewOf({ ...record, services, ...over })));
}

describe('the first line of a run by itself', () => {
  it('names what exited, and why, before all else', () => {
    expect(said([EXITED], { cases: [] })).toBe(
      'Nothing was measured: api exited with status 1 before it was ready: KeyError: SHOP_REGION is not set.',
    );
  });

  it('names what does not build', () => {
    expect(said([NOT_BUILT], { cases: [] })).toBe(
      'Nothing was measured: web does not build: ./main.go:12:2: undefined: shop.',
    );
  });

  it('says of several in a few words what befell each', () => {
    expect(said([EXITED, NOT_BUILT], { cases: [] })).toBe(
      'Nothing was measured: api exited with status 1 before it was ready, web does not build.',
    );
  });

  it('says it beside the figures of others', () => {
    expect(said([NOT_BUILT])).toMatch(
      /requests\/s.*\. Not measured: web does not build: \.\/main\.go:12:2: undefined: shop\.$/,
    );
  });

  it('ends with one mark, whatever the sentence ends with', () => {
    const waited = 'api did not answer GET / within 30 s. Its last lines:\n    listening on 0.0.0.0:8080';
    expect(said([waited], { cases: [] })).toBe('Nothing was measured: api did not answer GET / within 30 s.');
  });
});
