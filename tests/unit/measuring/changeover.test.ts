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
      return { service, variant, round, stop: () => until(`stop ${name}`) } as Testbed;
    },
    release: async () => void log.push('release'),
  } as unknown as TestbedRuntime);
  const start = (name: string, round = 1) =>
    runtime.start({ service: { name }, variant: 'candidate', round } as TestbedRequest, never());
  const done = async (what: string) => {
    going.get(what)!();
    await turn();
  };
  /** Started and stopped, but for its removal. */
  const left = async (name: string) => {
    const starting = start(name);
    await turn();
    await done(`start ${name} candidate 1`);
    await (await starting).stop();
    log.length = 0;
  };
  return { runtime, log, start, done, left };
}

describe('from one testbed to the next', () => {
  it('a container comes up while the last one goes down, and is there when that is gone', async () => {
    const { log, start, done, left } = givenRuntime('docker');
    await left('go');
    const starting = start('rust').then(() => log.push('measured'));
    await turn();
    expect(log).toEqual(['start rust candidate 1']);
    await done('start rust candidate 1');
    expect(log).toEqual(['start rust candidate 1', 'start rust candidate 1: done']);
    await done('stop go candidate 1');
    await starting;
    expect(log.slice(2)).toEqual(['stop go candidate 1: done', 'measured']);
  });

  it.each([
    ['a process, which could want the same port,', 'process', 'rust'],
    ['a container of the same name', 'docker', 'go'],
  ] as const)('%s waits until the last one is gone', async (_what, kind, name) => {
    const { log, start, done, left } = givenRuntime(kind);
    await left('go');
    void start(name);
    await turn();
    expect(log).toEqual([]);
    await done('stop go candidate 1');
    expect(log).toEqual(['stop go candidate 1: done', `start ${name} candidate 1`]);
  });

  it('nothing is released before all is gone', async () => {
    const { runtime, log, done, left } = givenRuntime('docker');
    await left('go');
    const releasing = runtime.release('run');
    await turn();
    expect(log).toEqual([]);
    await done('stop go candidate 1');
    await releasing;
    expect(log).toEqual(['stop go candidate 1: done', 'release']);
  });
});
