// needs: nothing
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { branchHistory } from '../../../src/app/branch-history.ts';
import { reportInJob } from '../../../src/app/workflow/report-in-job.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { judgedRun } from '../../../src/core/posting/verdict.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import { ALWAYS, HEAD, MERGE, onBranch, recordFor, SPEC, TOKEN, world } from './given.ts';
import {
  ANCHOR,
  BEFORE,
  branchWith,
  ITEMS,
  type Kept,
  NOW,
  never,
  nightly,
  nightlyRun,
  ONE,
  plain,
  runOf,
  sinceIn,
  TWO,
} from './nightly.ts';
import { factsWithin, reportedByTask, tellingJob } from './task.ts';

const CREPT = expect.stringMatching(
  /^rest-api: crept in since v1\.0, though no run was red: go · \/ping costs 1\d(\.\d)? % more CPU per request\.$/,
);
const CREPT_LINE = expect.stringMatching(
  /^\*\*Crept in since v1\.0\*\*, though no run was red: `go · \/ping` costs 1\d(\.\d)? % more CPU per request$/,
);

describe('what a nightly run says of its anchor', () => {
  it('names what crept in without any red run, in its summary and in the log, and fails for nothing', async () => {
    const { said, text, verdict, given } = await nightly(
      [plain(ANCHOR, BEFORE), plain(ONE, ANCHOR), plain(TWO, ONE)],
      1.12,
    );
    expect(sinceIn(text)).toEqual([CREPT_LINE]);
    expect(said).toEqual([CREPT]);
    expect(verdict).toBe('no-change');
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api (schedule)', state: 'success' }]);
    expect(given.warnings).toEqual([]);
  });

  it('says what was accepted, and does not call that creep', async () => {
    const kept = [
      plain(ANCHOR, BEFORE),
      { sha: ONE, against: ANCHOR, ratio: 1.12, accepted: [ITEMS] },
      plain(TWO, ONE),
    ];
    const { said, text } = await nightly(kept, 1.12);
    expect(sinceIn(text)).toEqual([
      expect.stringMatching(
        /^- `go · \/ping`, CPU: of \+1[12]\.\d % since v1\.0, \+1[12]\.\d % was accepted \(1 run\)$/,
      ),
    ]);
    expect(said).toEqual([]);
  });

  it('names what crept in beside what was accepted', async () => {
    const kept = [
      plain(ANCHOR, BEFORE),
      { sha: ONE, against: ANCHOR, ratio: 1.06, accepted: [ITEMS] },
      plain(TWO, ONE),
    ];
    const { said, text } = await nightly(kept, 1.17);
    expect(sinceIn(text)).toEqual([
      expect.stringMatching(/^- `go · \/ping`, CPU: of \+1\d\.\d % since v1\.0, \+[56]\.\d % was accepted \(1 run\)$/),
      CREPT_LINE,
    ]);
    expect(said).toEqual([CREPT]);
  });

  it('adds up what several runs accepted, and counts none twice that measured a commit again', async () => {
    const one = { sha: ONE, against: ANCHOR, ratio: 1.06, accepted: [ITEMS] };
    const two = { sha: TWO, against: ONE, ratio: 1.06, accepted: [ITEMS] };
    const byHand = { sha: TWO, against: ANCHOR, ratio: 1.12, accepted: [ITEMS] };
    const { said, text } = await nightly([plain(ANCHOR, BEFORE), one, one, two, two, byHand], 1.12);
    expect(sinceIn(text)).toEqual([
      expect.stringMatching(
        /^- `go · \/ping`, CPU: of \+1\d\.\d % since v1\.0, \+1[123]\.\d % was accepted \(2 runs\)$/,
      ),
    ]);
    expect(said).toEqual([]);
  });

  it('counts what its own commit was accepted for', async () => {
    const message = 'Add roles\n\nPerf-Accept: /ping: for roles';
    const { said, text, verdict } = await nightly([plain(ANCHOR, BEFORE), plain(TWO, ONE)], 1.12, {
      ratio: 1.12,
      message,
    });
    expect(sinceIn(text)).toEqual([expect.stringMatching(/ was accepted \(1 run\)$/)]);
    expect([said, verdict]).toEqual([[], 'accepted']);
  });

  it.each<[string, Kept[]]>([
    [
      'a run since was red for it',
      [plain(ANCHOR, BEFORE), { sha: ONE, against: ANCHOR, ratio: 1.12 }, plain(TWO, ONE)],
    ],
    ['no run is kept from before the anchor', [plain(ONE, ANCHOR), plain(TWO, ONE)]],
    ['nothing is kept', []],
  ])('says nothing of creeping in where %s', async (_, kept) => {
    const { said, text } = await nightly(kept, 1.12);
    expect(sinceIn(text)).toEqual([]);
    expect(said).toEqual([]);
  });

  it('does not count what was red, or accepted, before the anchor', async () => {
    const old = [
      { sha: BEFORE, against: BEFORE, ratio: 1.12 },
      { sha: ANCHOR, against: BEFORE, ratio: 1.12, accepted: [ITEMS] },
    ];
    const { said, text } = await nightly([...old, plain(ONE, ANCHOR), plain(TWO, ONE)], 1.12);
    expect(sinceIn(text)).toEqual([CREPT_LINE]);
    expect(said).toEqual([CREPT]);
  });

  it('says nothing where what grew since is within its limit', async () => {
    const { said, text } = await nightly([plain(ANCHOR, BEFORE), plain(TWO, ONE)], 1);
    expect([sinceIn(text), said]).toEqual([[], []]);
  });

  it('reads the records of none but the runs that failed or accepted something', async () => {
    const kept = [
      plain(ANCHOR, BEFORE),
      { sha: ONE, against: ANCHOR, ratio: 1.12, accepted: [ITEMS] },
      plain(TWO, ONE),
    ];
    const { reads } = await nightly(kept, 1.12);
    const read = reads.flat().filter((path) => path.includes('/runs/'));
    expect(read).toEqual([`wrkbench/rest-api/runs/2026-11/20261102-000000-00000a.run-101.${ONE}.json`]);
  });
});

describe('a nightly job that reports what it has measured itself', () => {
  it('names what crept in in its log as well', async () => {
    const given = await world();
    onBranch(given, { event: 'schedule', sha: NOW });
    given.forge.branches.set('main', [NOW, TWO, ONE, ANCHOR, BEFORE]);
    const record = runOf({ sha: NOW, against: TWO, ratio: 1 });
    const anchor = comparisonOf(runOf({ sha: NOW, against: ANCHOR, ratio: 1.12 }));
    const run = judgedRun(record, { ...comparisonOf(record), anchor });
    const history = branchHistory(
      (await branchWith([plain(ANCHOR, BEFORE), plain(TWO, ONE)])).publisher(),
      never,
      () => {},
    );
    const { job, said } = tellingJob();
    const inputs = actionInputs((name) => (name === 'token' ? TOKEN : ''));
    const reporting = async () => ({ adapters: given.adapters({ history }), close: async () => undefined });
    await reportInJob({ runs: [run], lost: [] }, inputs, factsWithin(given), { job, reporting }, never);
    expect(said).toEqual([CREPT]);
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api (schedule)', state: 'success' }]);
  });
});

describe('a push', () => {
  it('has the same in its summary, and not in the log', async () => {
    const { said, text } = await nightly([plain(ANCHOR, BEFORE), plain(TWO, ONE)], 1.12, { event: 'push' });
    expect(sinceIn(text)).toEqual([CREPT_LINE]);
    expect(said).toEqual([]);
  });
});

describe('where it cannot be known', () => {
  it('which commits the anchor holds, the run is reported without', async () => {
    const given = await world();
    nightlyRun(given, 1.12);
    given.api.faults.push({ operation: 'repos/compare-commits-with-basehead', times: ALWAYS, kind: 500 });
    const publisher = (await branchWith([plain(BEFORE, BEFORE), plain(ONE, ANCHOR), plain(TWO, ONE)])).publisher();
    const history = branchHistory(publisher, never, () => {});
    const { said, verdict } = await reportedByTask(given, undefined, { history });
    expect([said, verdict]).toEqual([[], 'no-change']);
    expect(sinceIn(given.summaries.at(-1)!)).toEqual([]);
    expect(given.warnings).toEqual([expect.stringMatching(/^What was accepted since the anchor 2222222 is not known/)]);
  });

  it('since the record names no commit for the anchor, nobody is asked for one', async () => {
    const given = await world();
    nightlyRun(given, 1.12, { anchorSha: '../../../user' });
    const history = branchHistory(
      (await branchWith([plain(BEFORE, BEFORE), plain(TWO, ONE)])).publisher(),
      never,
      () => {},
    );
    await reportedByTask(given, undefined, { history });
    expect(sinceIn(given.summaries.at(-1)!)).toEqual([]);
    expect(given.api.calls.filter((call) => /compare|user/.test(call))).toEqual([]);
  });

  it('which runs failed, since the pages are not there, the run is reported without', async () => {
    const branch = await branchWith([plain(ANCHOR, BEFORE), plain(TWO, ONE)]);
    branch.files.delete('wrkbench/rest-api/manifest.json');
    const history = branchHistory(branch.publisher(), never, () => {});
    const places = await history.places('rest-api');
    expect(places).toHaveLength(2);
    expect(await history.notable('rest-api', places)).toBeNull();
  });
});

describe('a run that is kept', () => {
  it('keeps how far it is from the anchor, and what of that was accepted', async () => {
    const kept = [
      plain(ANCHOR, BEFORE),
      { sha: ONE, against: ANCHOR, ratio: 1.06, accepted: [ITEMS] },
      plain(TWO, ONE),
    ];
    const branch = await branchWith(kept);
    const given = await world();
    nightlyRun(given, 1.17);
    const publisher = branch.publisher();
    const history = branchHistory(publisher, never, () => {});
    await reportedByTask(given, undefined, { branch: branch.publisher(), history });
    const path = [...branch.files.keys()].find((each) => each.includes(`.run-7301.${NOW}`))!;
    const { anchor } = readRunRecord(branch.files.get(path)!, path).published!;
    expect(anchor).toMatchObject({
      name: 'v1.0',
      sha: ANCHOR,
      changes: [{ key: 'go/ping/direct/wrk/keep-alive/100', service: 'go', endpoint: 'ping' }],
    });
    expect(anchor!.changes[0]!.metrics['cpu-per-request']).toEqual({
      change: expect.closeTo(0.17, 1),
      accepted: expect.closeTo(0.06, 1),
      runs: 1,
      crept: true,
    });
    const piece = JSON.parse(branch.files.get('wrkbench/rest-api/series/2026-11.json')!);
    expect(piece.runs.anchor).toEqual([null, null, null, 'v1.0']);
  });
});

describe('a pull request', () => {
  it('says what was accepted before it, and does not call its own change creep', async () => {
    const given = await world();
    given.forge.branches.set('main', [TWO, ONE, ANCHOR, BEFORE]);
    const whole = recordFor({ rounds: 20 });
    const gate = { ...whole.comparing!.gate, anchor: 'commit:v1.0' };
    const record = { ...whole, comparing: { ...whole.comparing!, gate } };
    const anchor = runOf({ sha: MERGE, against: ANCHOR, ratio: 1.12 });
    const files = { 'run.json': strToU8(JSON.stringify(record)), 'anchor/run.json': strToU8(JSON.stringify(anchor)) };
    given.forge.artifacts.push({ id: 500, run: 7301, name: 'wrkbench-rest-api', zip: zipSync(files), expired: false });
    given.forge.files.set(HEAD, { 'wrkbench.yml': SPEC });
    const kept = [plain(ANCHOR, BEFORE), { sha: ONE, against: ANCHOR, ratio: 1.06, accepted: [ITEMS] }];
    const history = branchHistory((await branchWith(kept)).publisher(), never, () => {});
    await reportedByTask(given, undefined, { history });
    expect(sinceIn(given.forge.comments[0]!.body)).toEqual([expect.stringMatching(/ was accepted \(1 run\)$/)]);
  });
});
