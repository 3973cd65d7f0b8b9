// needs: nothing
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/adapters/docker/engine.ts';
import { sweepLeftovers } from '../../../src/adapters/docker/sweep.ts';
import { ownIdentity, readWitness } from '../../../src/adapters/process/owner.ts';
import { parseOwner, runnerContainerOwner } from '../../../src/core/topology/labels.ts';

interface Thing {
  kind: 'container' | 'network';
  name: string;
  owner: string;
  status: string;
}

const container = (name: string, owner: string, status = 'Up 3 minutes'): Thing => ({
  kind: 'container',
  name,
  owner,
  status,
});
const network = (name: string, owner: string): Thing => ({ kind: 'network', name, owner, status: '' });

/**
 * Holds what it is given, and knows of it what the sweep asks for. `stops`: what goes where a container is stopped; null
 * where it cannot be.
 */
function engineWith(things: Thing[], stops: Record<string, string[] | null> = {}) {
  const calls: string[] = [];
  const remove = (names: string[]) => {
    things = things.filter(({ name }) => !names.includes(name));
  };
  const engine: Engine = {
    async call(args) {
      const [kind, verb] = args;
      if (verb !== 'ls') calls.push(args.filter((arg) => !arg.startsWith('--')).join(' '));
      const names = args.slice(2).filter((arg) => !arg.startsWith('--'));
      if (verb === 'rm') remove(names);
      if (verb === 'stop') {
        const stopped = names.at(-1)!;
        if (stops[stopped] === null) throw new Error('It did not answer within 90 s.');
        remove(stops[stopped] ?? []);
        things = things.map((thing) => (thing.name === stopped ? { ...thing, status: 'Exited (130)' } : thing));
      }
      const listed = things
        .filter((thing) => thing.kind === kind)
        .map(({ name, owner, status }) => [name, name, owner, 'run', name, status].join('\t'));
      const stdout = verb === 'ls' ? listed.join('\n') : '';
      return { stdout, all: stdout };
    },
  };
  return { engine, calls, left: () => things.map(({ name }) => name).sort() };
}

const REBOOTED = '00000000-0000-0000-0000-000000000000:4026531836:1:1';
const own = parseOwner(ownIdentity())!;
/** Its number fits nobody. */
const dead = `${own.bootId}:${own.pidNamespace}:4194303:1`;
const client = readWitness(true);

describe('the sweep of an engine on another machine', () => {
  it('leaves the runs of that machine and of its other clients, whose boots are not known here', async () => {
    const things = [
      container('of-that-machine', REBOOTED),
      network('network-of-that-machine', REBOOTED),
      container('wrkbench-runner-container-of-another-client', `elsewhere:${REBOOTED}`),
    ];
    const { engine, calls, left } = engineWith(things);
    expect(await sweepLeftovers(engine, client)).toEqual([]);
    expect(calls).toEqual([]);
    expect(left()).toEqual(things.map(({ name }) => name).sort());
  });

  it('has a runner container whose caller is dead take down what it started, and removes what is left then', async () => {
    const runnerContainer = 'wrkbench-runner-container-1';
    const { engine, calls, left } = engineWith(
      [
        container(runnerContainer, `elsewhere:${dead}`),
        container('service', runnerContainerOwner(runnerContainer)),
        network('app', runnerContainerOwner(runnerContainer)),
        network('db', runnerContainerOwner(runnerContainer)),
        container('wrkbench-runner-container-2', ownIdentity(true)),
        container('service-2', runnerContainerOwner('wrkbench-runner-container-2')),
        container('service-3', runnerContainerOwner('wrkbench-runner-container-3')),
      ],
      { [runnerContainer]: ['service', 'app'] },
    );
    expect(await sweepLeftovers(engine, client)).toEqual([
      'Removed the container wrkbench-runner-container-1 of run run, whose owner has ended.',
      'Removed the container service-3 of run run, whose owner has ended.',
      'Removed the network db of run run, whose owner has ended.',
    ]);
    expect(calls).toEqual([
      'container stop 60 wrkbench-runner-container-1',
      'container rm wrkbench-runner-container-1 service-3',
      'network rm db',
    ]);
    expect(left()).toEqual(['service-2', 'wrkbench-runner-container-2']);
  });

  it('removes what a runner container has started also where that cannot be stopped', async () => {
    const runnerContainer = 'wrkbench-runner-container-1';
    const things = [
      container(runnerContainer, `elsewhere:${dead}`),
      container('service', runnerContainerOwner(runnerContainer)),
    ];
    const { engine, left } = engineWith(things, { [runnerContainer]: null });
    await sweepLeftovers(engine, client);
    expect(left()).toEqual([]);
  });

  it('does not stop the runner container that it is made in, whoever has called that', async () => {
    const runnerContainer = 'wrkbench-runner-container-1';
    const { engine, calls } = engineWith([
      container(runnerContainer, `elsewhere:${dead}`),
      container('service', runnerContainerOwner(runnerContainer)),
    ]);
    expect(await sweepLeftovers(engine, client, runnerContainer)).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('removes a runner container that has ended without asking it', async () => {
    const { engine, calls } = engineWith([
      container('wrkbench-runner-container-1', `elsewhere:${dead}`, 'Exited (0) 1s ago'),
    ]);
    await sweepLeftovers(engine, client);
    expect(calls).toEqual(['container rm wrkbench-runner-container-1']);
  });
});
