import { describe, expect, it } from 'vitest';
import { MachineBusy } from '../../../src/app/ports/machine.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import { anchoredRun } from '../../../src/app/run/anchored-run.ts';
import { run } from '../../../src/app/run/run.ts';
import { NotComparable } from '../../../src/core/comparison/stored-conditions.ts';
import { earlierRun } from '../baseline/records.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';
import { finishedRun, memoryStore } from './given.ts';

const never = new AbortController().signal;

describe('a run', () => {
  it('gives back the CPUs that it did not keep to', async () => {
    const { options, adapters, did } = finishedRun();
    await run(options, adapters, never);
    expect(did).toEqual(['on CPUs 1', 'on all CPUs']);
  });

  it('that was held against numbers goes on with the same, and with what was said of them', async () => {
    const { options, adapters } = finishedRun();
    const { comparison, anchor, selection } = await run(options, adapters, never);
    expect(comparison).toMatchObject({ mode: 'stored', baseline: { origin: 'numbers of run one' } });
    expect(comparison!.warnings[0]).toEqual({ code: 'image-gone', message: 'Its image is gone.' });
    expect([anchor, selection]).toEqual([null, { quick: false, only: '/ping', shard: null }]);
  });

  it('leaves its record though the comparison cannot be worked out', async () => {
    const base = earlierRun({ id: 'one' });
    const { options, adapters, files } = finishedRun({ stored: { ...base, spec: { ...base.spec, name: 'other' } } });
    await expect(run(options, adapters, never)).rejects.toBeInstanceOf(NotComparable);
    expect([...files.keys()]).toEqual(['run.json']);
    expect(JSON.parse(files.get('run.json')!).cases).toHaveLength(1);
  });

  it('looks for earlier runs that measured what it does itself', async () => {
    const { options, adapters } = finishedRun();
    const asked: unknown[] = [];
    adapters.baselines.history.latest = async (...request) => {
      asked.push(request);
      return null;
    };
    // No testbed can be had here, so that it ends where it would begin.
    await run({ ...options, resume: false, quick: true, only: '/ping' }, adapters, never).catch(() => undefined);
    expect(asked[0]).toEqual(['rest-api', [], { quick: true, only: '/ping' }]);
  });

  it('starts a service for the cases that --only leaves, and says so', async () => {
    const { options, adapters } = finishedRun();
    const cases: unknown[] = [];
    const fake = fakeMeasuring({
      start: (request) => {
        cases.push(request.cases?.map(({ key }) => key));
        return new TestbedError('exited', 'It ends here.');
      },
    });
    const process = {
      ...fake.adapters.runtime,
      prepare: async () => [{ service: 'go', artifact: './go', failure: null }],
    };
    const { clock, cpus, ports, syscalls, generators, probe } = fake.adapters;
    const measuring = { clock, cpus, ports, syscalls, generators, probe };
    const spec = {
      ...options.spec,
      endpoints: [options.spec.endpoints[0]!, { ...options.spec.endpoints[0]!, name: 'news' }],
    };
    await run(
      { ...options, spec, resume: false, baseline: null, only: 'news' },
      {
        ...adapters,
        ...measuring,
        store: memoryStore('/runs/three', null).store,
        runtimes: { ...adapters.runtimes, process },
      },
      never,
    );
    expect(cases).toEqual([['go/news/direct/wrk/keep-alive/100']]);
  });

  it('waits for another one as long as it is told, and without a word as long as it takes', async () => {
    const { options, adapters } = finishedRun();
    const waits: unknown[] = [];
    adapters.lock.acquire = async (_run, _onWait, _signal, mostSeconds) => {
      waits.push(mostSeconds);
      throw new MachineBusy('another run is measuring');
    };
    for (const waitSeconds of [null, 0, 600]) {
      await expect(run({ ...options, waitSeconds }, adapters, never)).rejects.toBeInstanceOf(MachineBusy);
    }
    expect(waits).toEqual([null, 0, 600]);
  });

  it('on another machine is not gone on with', async () => {
    const { options, adapters } = finishedRun();
    const facts = await adapters.machine.facts('');
    adapters.machine.facts = async () => ({ ...facts, cpu: { ...facts.cpu, model: 'Another' } });
    await expect(run(options, adapters, never)).rejects.toThrow(
      /^\/runs\/two was measured on AMD EPYC 7763 64-Core Processor, and this machine has Another: /,
    );
  });
});

describe('the anchor of a run', () => {
  const stored = (anchor = 'commit:v9') => {
    const one = earlierRun({ id: 'one' });
    return { ...one, spec: { ...one.spec, gate: { ...one.spec.gate, anchor } } };
  };
  const why =
    'The baseline commit:v9 names nothing. There is no repository. Use --baseline image:REFERENCE or record:PATH.';

  it('that names nothing is told first, ends nothing, and is a warning in the reports', async () => {
    const { options, adapters, files, did } = finishedRun({ stored: stored() });
    const { comparison } = await anchoredRun(options, adapters, never);
    expect(did[0]).toMatch(/^warned: The anchor commit:v9 is not a commit that is here, and will not be compared\. /);
    const message = `The anchor commit:v9 was not compared with: ${why}`;
    expect(did.at(-1)).toBe(`warned: ${message}`);
    expect(comparison!.warnings.at(-1)).toEqual({ code: 'anchor-not-compared', message });
    expect(JSON.parse(files.get('comparison.json')!).warnings.at(-1).message).toBe(message);
    expect(files.get('report.md')).toContain('The anchor commit:v9 was not compared with');
  });

  it('is measured by the selection of the run that is gone on with', async () => {
    const { options, adapters, asked } = finishedRun({ stored: stored('record:old') });
    adapters.baselines.files.text = async (path) => (path === '/work/old/run.json' ? JSON.stringify(stored()) : null);
    // No testbed can be had here, so that it ends where it would begin.
    await anchoredRun(options, adapters, never);
    expect((await asked[0]!.journal.read())![0]).toMatchObject({
      kind: 'header',
      selection: { quick: false, only: '/ping', baseline: 'record:/work/old' },
    });
  });

  it('whose folder cannot be made is a warning as well', async () => {
    const { options, adapters } = finishedRun({ stored: stored() });
    adapters.storeInside = async () => {
      throw new Error('The disk is full.');
    };
    const { comparison } = await anchoredRun(options, adapters, never);
    expect(comparison!.warnings.at(-1)!.message).toBe('The anchor commit:v9 was not compared with: The disk is full.');
  });
});
