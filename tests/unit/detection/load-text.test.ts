import { describe, expect, it } from 'vitest';
import { USUAL_LOAD, withLoad } from '../../../src/core/detection/load-text.ts';

const SPEC = `name: shop
endpoints:
  load:
    path: /load

load:
${USUAL_LOAD.join('\n')}

gate:                # a pull request fails where it is worse than this
  throughput: {max-decrease: 5%}
`;

describe('a spec with another load', () => {
  it('has its lines where the usual ones were, and those of the gate before all others', () => {
    expect(
      withLoad(SPEC, { load: ['  # measured: $& 3/s', '  wrk: {connections: [4]}'], gate: ['  budget: 6m'] }),
    ).toBe(
      `name: shop
endpoints:
  load:
    path: /load

load:
  # measured: $& 3/s
  wrk: {connections: [4]}

gate:                # a pull request fails where it is worse than this
  budget: 6m
  throughput: {max-decrease: 5%}
`,
    );
  });

  it('is the same where that load is the usual one', () => {
    expect(withLoad(SPEC, { load: USUAL_LOAD, gate: [] })).toBe(SPEC);
  });
});
