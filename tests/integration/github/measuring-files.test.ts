// needs: nothing
import { describe, expect, it } from 'vitest';
import { addArtifact, BASE, HEAD, recordFor, reported, SPEC, WORKFLOW, world } from './given.ts';

const CALLED = '.github/workflows/bench.yml';
const calling = (uses: string) => `jobs: {measure: {uses: ${uses}}}`;
const stepping = (uses: string) => `jobs: {measure: {steps: [{uses: ${uses}}]}}`;
const composite = (uses: string) => `runs: {using: composite, steps: [{run: make, shell: bash}, {uses: ${uses}}]}`;

/** The verdict of a pull request that changes some files, and makes nothing slower. `base`: what its base has. */
async function verdictOf(changed: string[], base: Record<string, string>, head: Record<string, string> = {}) {
  const given = await world({ secondMs: 2 });
  given.forge.files.set(BASE, { 'wrkbench.yml': SPEC, ...base });
  given.forge.files.set(HEAD, { 'wrkbench.yml': SPEC, ...base, ...head });
  given.forge.pulls[0]!.files = changed;
  addArtifact(given.forge, recordFor({ rounds: 20 }));
  const { judged } = await reported(given);
  return { unverified: judged[0]!.unverified, state: given.forge.statuses[0]!.state };
}
const green = { unverified: null, state: 'success' };
const ownMeasuring = (path: string) => ({
  unverified: expect.stringContaining(`This pull request changes how it is measured (${path})`),
  state: 'error',
});

describe('a pull request is unverified that changes', () => {
  it('a workflow that the measuring one calls at its base, whatever it calls at its head', async () => {
    const base = { [WORKFLOW]: calling(`./${CALLED}`), [CALLED]: 'jobs: {}' };
    expect(await verdictOf([CALLED], base, { [WORKFLOW]: 'jobs: {}' })).toEqual(ownMeasuring(CALLED));
  });

  it.each(['action.yml', 'action.yaml'])(
    'an action that a composite one calls (%s), in a workflow that is called',
    async (name) => {
      const base = {
        [WORKFLOW]: calling(`./${CALLED}`),
        [CALLED]: stepping('./ci/bench'),
        [`ci/bench/${name}`]: composite('./tools/load/'),
        [`tools/load/${name}`]: composite('./tools/deeper'),
      };
      expect(await verdictOf(['tools/load/run.sh'], base)).toEqual(ownMeasuring('tools/load/run.sh'));
      expect(await verdictOf(['tools/deeper/x.js'], base)).toEqual(ownMeasuring('tools/deeper/x.js'));
      expect(await verdictOf(['tools/other/x.js', 'ci/readme.md'], base)).toEqual(green);
    },
  );

  it('what the action at the top of the repository calls', async () => {
    const base = { [WORKFLOW]: stepping('./'), 'action.yml': composite('./ci/bench') };
    expect(await verdictOf(['ci/bench/run.sh'], base)).toEqual(ownMeasuring('ci/bench/run.sh'));
  });

  it('a script that a generator is given by a spec of its base', async () => {
    const base = {
      'wrkbench.yml': SPEC.replace('  wrk:', '  k6:\n    rate: 100/s\n    script: load/users.js\n  wrk:'),
      'load/users.js': 'export default function () {}',
    };
    expect(base['wrkbench.yml']).toContain('users.js');
    expect(await verdictOf(['load/users.js'], base)).toEqual(ownMeasuring('load/users.js'));
  });

  it('something, where the calls go on and on', async () => {
    const chain = Array.from({ length: 60 }, (_, at) => [`ci/${at}/action.yml`, composite(`./ci/${at + 1}`)]);
    const base = { [WORKFLOW]: stepping('./ci/0'), ...Object.fromEntries(chain) };
    expect(await verdictOf(['README.md'], base)).toMatchObject({
      unverified: expect.stringContaining('calls more than 50 others'),
      state: 'error',
    });
  });
});

describe('a pull request is verified', () => {
  it('where it changes nothing of what is called, and the calls go in a circle', async () => {
    const base = { [WORKFLOW]: calling(`./${CALLED}`), [CALLED]: calling(`./${WORKFLOW}`) };
    expect(await verdictOf(['src/server.go'], base)).toEqual(green);
  });
});
