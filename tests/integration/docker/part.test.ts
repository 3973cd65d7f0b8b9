import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../../src/adapters/docker/engine.ts';
import { endOf } from '../../../src/adapters/docker/part-end.ts';
import { buildFixtureImages, docker, POSTGRES } from './given.ts';

const engine = createEngine(process.env);
/** The real one, but for what it heard too late. */
const unaware: Engine = {
  async call(args, options) {
    const output = await engine.call(args, options);
    return { ...output, stdout: output.stdout.replaceAll('"OOMKilled":true', '"OOMKilled":false') };
  },
};
let container: string;

beforeAll(() => buildFixtureImages('postgres'));
beforeEach(() => {
  container = `wrkbench-test-${randomBytes(4).toString('hex')}`;
});
afterEach(() => {
  docker('container', 'rm', '--force', container);
});

const run = (...options: string[]) => docker('run', '--detach', '--name', container, ...options);

describe('the end of a part', () => {
  it('is for want of memory where the engine heard of that after it had heard of the end', async () => {
    run('--memory=32m', '--memory-swap=32m', POSTGRES, 'tail', '/dev/zero');
    docker('container', 'wait', container);
    const end = await endOf(unaware, 'service', container);
    expect(end.code).toBe('out-of-memory');
    expect(end.message).toMatch(/^The service ran out of memory: .* Its limit is 32\.0 MiB\./);
  });

  it('is told with its last log lines, without their colours', async () => {
    run(POSTGRES, 'sh', '-c', String.raw`printf '\033[31mfatal:\033[0m no region\n' >&2; exit 3`);
    docker('container', 'wait', container);
    expect((await endOf(engine, 'service', container)).logLines).toEqual(['fatal: no region']);
  });

  it('is a signal where somebody else killed it', async () => {
    run('--memory=32m', POSTGRES, 'sleep', '600');
    docker('container', 'kill', container);
    docker('container', 'wait', container);
    const end = await endOf(engine, 'service', container);
    expect(end.code).toBe('exited');
    expect(end.message).toBe(
      'The service was ended by SIGKILL (status 137) before it was ready. It printed nothing: start it by hand, with the command and the env of the spec, or look where it writes its log.',
    );
  });
});
