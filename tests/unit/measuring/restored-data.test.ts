import { describe, expect, it } from 'vitest';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { type ComparingRun, comparingRun, smallSpec } from '../support/comparing.ts';
import type { FakeMeasuring } from '../support/fake-measuring.ts';

const LIST: Partial<Endpoint> = { name: 'list', path: '/items' };
const CREATE: Partial<Endpoint> = { name: 'create', path: '/items', method: 'POST', body: '{}' };
const COUNT: Partial<Endpoint> = { name: 'count', path: '/count' };
const goesOn: FakeMeasuring['data'] = () => 'goes on';

/** What was asked of the machine from the first start of the round on, up to the next one; without what is asked once a trial is over. */
async function roundOf(round: number, wanted: ComparingRun): Promise<string[]> {
  const { log } = await comparingRun({ budgetSeconds: 30, ...wanted });
  const from = log.indexOf(`start baseline ${round}`);
  const to = log.findIndex((line, at) => at > from && /^start /.test(line) && !line.endsWith(` ${round}`));
  return log.slice(from, to < 0 ? undefined : to);
}
const restored = (lines: readonly string[]) => lines.filter((line) => line.startsWith('restore '));
/** Each load and each restoring, a trial by its case. */
const shortened = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    if (line.startsWith('restore ')) return [line];
    const [, variant, endpoint, seconds, purpose] =
      /^wrk (\w+) (\w+) for ([\d.]+) s(?: at \S+)?( to warm up)?$/.exec(line) ?? [];
    return variant === undefined ? [] : [`${variant} ${endpoint}${purpose === undefined ? '' : ` ${seconds} s`}`];
  });

describe('data that a case writes', () => {
  it('are put back on both sides before the next duet, and both have their connections again before it', async () => {
    const machine = { data: goesOn };
    const lines = shortened(await roundOf(2, { candidate: smallSpec([CREATE, LIST]), machine }));
    const both = ['restore baseline', 'restore candidate'];
    // Whoever comes first: data that were written to are put back, and those that were only read are left alone.
    const starts = lines.flatMap((line, at) => (line === both[0] ? [lines.slice(at, at + 2)] : []));
    expect(starts.length).toBeGreaterThan(1);
    for (const start of starts) expect(start).toEqual(both);
    for (const [at, line] of lines.entries()) {
      if (line !== both[1]) continue;
      const [first, second] = lines.slice(at + 1, at + 3);
      expect([first, second].sort()).toEqual([
        expect.stringMatching(/^baseline (create|list) 0\.5 s$/),
        expect.stringMatching(/^candidate (create|list) 0\.5 s$/),
      ]);
      const endpoint = first!.split(' ')[1]!;
      expect(lines.slice(at + 3, at + 5).sort()).toEqual([`baseline ${endpoint}`, `candidate ${endpoint}`]);
    }
    // Between what is read alone, nothing is put back.
    const trials = lines.filter((line) => /^\w+ (create|list)$/.test(line));
    for (const [at, line] of lines.entries()) {
      if (line !== both[0] || at === 0) continue;
      expect(lines.slice(0, at).findLast((each) => /^\w+ create/.test(each))).toBeDefined();
    }
    expect(trials.length).toBeGreaterThan(3);
  });

  it('are left alone where no endpoint writes, and where nothing keeps data', async () => {
    const reading = await roundOf(1, { candidate: smallSpec([LIST, COUNT]), machine: { data: goesOn } });
    expect(restored(reading)).toEqual([]);
    const without = await comparingRun({ candidate: smallSpec([CREATE, LIST]) });
    expect(restored(without.log)).toEqual([]);
  });

  it('are left alone where a method that writes is said not to', async () => {
    const machine = { data: goesOn };
    const query = smallSpec([{ ...CREATE, writes: false }, LIST]);
    expect(restored(await roundOf(1, { candidate: query, machine }))).toEqual([]);
  });

  it('are put back between two endpoints that are counted without load', async () => {
    const lines = await roundOf(1, { candidate: smallSpec([CREATE, LIST, COUNT]), machine: { data: goesOn } });
    const unloaded = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('wrk ')),
    );
    for (const variant of ['baseline', 'candidate']) {
      const own = unloaded.filter((line) => new RegExp(`^(?:ask|restore) ${variant}`).test(line));
      const at = own.indexOf(`ask ${variant} create`);
      expect(own[at + 1]).toBe(`restore ${variant}`);
      // Until the next one was answered as often as it takes to believe it, and once to be checked.
      const next = own.slice(at + 2);
      if (next.length > 0) expect(next.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => next[0]));
      expect(restored(own)).toHaveLength(1);
    }
  });

  it('are put back for a service that has to be started anew, which is warmed up again with the other side', async () => {
    const machine: FakeMeasuring = { data: (variant) => (variant === 'candidate' ? 'is restarted' : 'goes on') };
    const lines = shortened(await roundOf(2, { candidate: smallSpec([CREATE]), machine }));
    const at = lines.indexOf('restore candidate');
    expect(lines.slice(at + 1, at + 5).toSorted()).toEqual([
      'baseline create 0.5 s',
      'baseline create 1 s',
      'candidate create 0.5 s',
      'candidate create 1 s',
    ]);
  });

  it('are left as its warm-up left them where a service would be cold after it', async () => {
    const machine: FakeMeasuring = { data: () => 'is restarted' };
    const run = { candidate: smallSpec([CREATE, { ...CREATE, name: 'order' }]), baseline: smallSpec([{}]), machine };
    const lines = shortened((await comparingRun(run)).log);
    const at = lines.findIndex((line) => /^candidate (create|order)$/.test(line));
    const [first, second] = lines[at]!.includes('create') ? ['create', 'order'] : ['order', 'create'];
    expect(lines.slice(at - 4)).toEqual([
      // Nobody knows yet that it is started anew.
      `candidate ${first} 1 s`,
      'restore candidate',
      `candidate ${first} 0.5 s`,
      `candidate ${first} 1 s`,
      `candidate ${first}`,
      'restore candidate',
      `candidate ${second} 0.5 s`,
      `candidate ${second} 1 s`,
      `candidate ${second}`,
    ]);
  });

  it('leave the log behind what it took to put them back: nothing of that is the cause of a failure', async () => {
    const machine = { data: goesOn };
    const together = await comparingRun({ candidate: smallSpec([CREATE, LIST]), machine });
    const alone = await comparingRun({ candidate: smallSpec([CREATE]), baseline: smallSpec([{}]), machine });
    for (const { log } of [together, alone]) {
      const lines = log.filter((line) => /^(?:restore|wrk|pass log) /.test(line));
      const restores = lines.flatMap((line, at) => (line.startsWith('restore ') ? [{ line, at }] : []));
      expect(restores.length).toBeGreaterThan(0);
      for (const { line, at } of restores) {
        const passed = lines.indexOf(line.replace('restore', 'pass log'), at);
        const loads = lines.slice(at, passed).filter((each) => each.startsWith('wrk '));
        // With the load that its connections are opened by, and before any trial.
        for (const load of loads) expect(load).toContain('to warm up');
        expect(passed).toBeGreaterThan(at);
      }
    }
  });

  it('that cannot be put back end the round: the side is no longer what was started', async () => {
    const failure = new TestbedError('data-not-restored', 'Postgres answers, but its data could not be put back.');
    let asked = 0;
    const machine: FakeMeasuring = {
      data: () => {
        asked += 1;
        return asked > 6 && asked < 9 ? failure : 'goes on';
      },
    };
    const { log, record } = await comparingRun({ candidate: smallSpec([CREATE]), machine, budgetSeconds: 60 });
    expect(log.filter((line) => line.startsWith('warn '))).toEqual([
      expect.stringMatching(/^warn (baseline|candidate): go: Postgres answers, but its data could not be put back\.$/),
    ]);
    expect(record.cases.map(({ status }) => status)).toEqual(['valid', 'valid']);
  });

  it('are put back between the cases of a service that is measured by itself', async () => {
    const run = { candidate: smallSpec([LIST, CREATE, COUNT]), baseline: smallSpec([{}]), machine: { data: goesOn } };
    const { log, journal } = await comparingRun(run);
    const lines = shortened(log);
    const at = lines.lastIndexOf('restore candidate');
    const next = lines[at + 1]!.split(' ')[1];
    // What warmed the one that writes up was put back before its trial, and what that wrote before the next one.
    expect(lines.slice(at - 4, at)).toEqual([
      'candidate create 1 s',
      'restore candidate',
      'candidate create 0.5 s',
      'candidate create',
    ]);
    expect(lines.slice(at + 1, at + 4)).toEqual(
      [0.5, 1].map((seconds) => `candidate ${next} ${seconds} s`).concat([`candidate ${next}`]),
    );
    expect(restored(lines)).toHaveLength(3);
    // Connecting again is load, and putting back is none.
    expect(loadsIn(journal)).toContain(0.5);
  });
});

const loadsIn = (journal: readonly JournalEntry[]) =>
  journal.flatMap((entry) => (entry.kind === 'load' ? [entry.seconds] : []));
