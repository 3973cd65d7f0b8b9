import { describe, expect, it } from 'vitest';
import { withChangeover } from '../../../src/app/measuring/changeover.ts';
import type { Testbed, TestbedRequest, TestbedRuntime } from '../../../src/app/ports/testbed.ts';

const never = () => new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A runtime that is told when each of its calls is done, and what was called and done in their order. */
function givenRuntime(kind: TestbedRuntime['kind']) {
  const log: string[] = [];
  const going = new Map<string, () => void>();
  const until = async (what: string) => {
    log.push(what);
    await new Promise<void>((resolve) => going.set(what, resolve));
    log.push(`${what}: done`);
  };
  const runtime = withChangeover({
    kind,
    async start({ service, variant, round }: TestbedRequest) {
      const name = `${service.name} ${variant} ${round}`;
      await until(`start ${name}`);
      const halt = kind === 'docker' ? { halt: () => until(`halt ${name}`) } : {};
      return { service, variant, round, ...halt, stop: () => until(`stop ${name}`) } as Testbed;
    },
    release: async () => void log.push('release'),
  } as unknown as TestbedRuntime);
  const start = (name: string, round = 1) =>
    runtime.start({ service: { name }, variant: 'candidate', round } as TestbedRequest, never());
  const done = async (what: string) => {
    going.get(what)!();
    await turn();
  };
  /** Started and stopped, but for what that takes. */
  const left = async (name: string) => {
    const starting = start(name);
    await turn();
    await done(`start ${name} candidate 1`);
    await (await starting).stop();
    await turn();
  };
  return { runtime, log, start, done, left };
}

describe('from one testbed to the next', () => {
  it('a container comes up while what ran in the last one ends, and what is left of that is removed when it is up', async () => {
    const { runtime, log, start, done, left } = givenRuntime('docker');
    await left('go');
    log.length = 0;
    const starting = start('rust').then(() => log.push('up'));
    await turn();
    await done('start rust candidate 1');
    expect(log).toEqual(['start rust candidate 1', 'start rust candidate 1: done']);
    await done('halt go candidate 1');
    await starting;
    expect(log.slice(2)).toEqual(['halt go candidate 1: done', 'stop go candidate 1', 'up']);
    const removed = runtime.removed!().then(() => log.push('measured'));
    await turn();
    expect(log).toHaveLength(5);
    await done('stop go candidate 1');
    await removed;
    expect(log.slice(5)).toEqual(['stop go candidate 1: done', 'measured']);
  });

  it('nothing is removed before the last of several containers is up', async () => {
    const { log, start, done, left } = givenRuntime('docker');
    await left('go');
    await done('halt go candidate 1');
    log.length = 0;
    const starting = [start('rust'), start('node')];
    await turn();
    await done('start rust candidate 1');
    await starting[0];
    expect(log).not.toContain('stop go candidate 1');
    await done('start node candidate 1');
    await starting[1];
    expect(log.at(-1)).toBe('stop go candidate 1');
  });

  it('a process, which could want the same port, waits until the last one is gone', async () => {
    const { log, start, done, left } = givenRuntime('process');
    await left('go');
    log.length = 0;
    void start('rust');
    await turn();
    expect(log).toEqual([]);
    await done('stop go candidate 1');
    expect(log).toEqual(['stop go candidate 1: done', 'start rust candidate 1']);
  });

  it('a container of the same name waits until the last one is gone', async () => {
    const { log, start, done, left } = givenRuntime('docker');
    await left('go');
    await done('halt go candidate 1');
    log.length = 0;
    void start('go');
    await turn();
    expect(log).toEqual(['stop go candidate 1']);
    await done('stop go candidate 1');
    expect(log.slice(1)).toEqual(['stop go candidate 1: done', 'start go candidate 1']);
  });

  it('nothing is released before all is gone', async () => {
    const { runtime, log, done, left } = givenRuntime('docker');
    await left('go');
    await done('halt go candidate 1');
    log.length = 0;
    const releasing = runtime.release('run');
    await turn();
    expect(log).toEqual(['stop go candidate 1']);
    await done('stop go candidate 1');
    await releasing;
    expect(log.slice(1)).toEqual(['stop go candidate 1: done', 'release']);
  });
});
