// needs: nothing
import { afterEach, describe, expect, it, vi } from 'vitest';
import { actionsJob } from '../../../src/adapters/actions/job.ts';

afterEach(() => vi.restoreAllMocks());

/** What the runner reads of the job. */
async function logOf(use: (job: ReturnType<typeof actionsJob>) => unknown, hosted = true): Promise<string> {
  let log = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    log += String(chunk);
    return true;
  });
  await use(actionsJob({ hosted }));
  write.mockRestore();
  return log;
}

describe('what a job says', () => {
  it('is no command, whoever wrote it', async () => {
    const log = await logOf(({ say }) => {
      say('baseline: ::add-path::/tmp');
      say('\u0085::add-path::/tmp\r::error::x');
      say('level=info ##[add-path]/tmp');
    });
    expect(log).toBe(
      'baseline: ::add-path::/tmp\n⟨U+0085⟩::add-path::/tmp\n: :error::x\nlevel=info ## [add-path]/tmp\n',
    );
  });

  it('is only shown, where a terminal would obey it', async () => {
    const theirs = 'a\u001b[2Jb\u009b31m';
    const log = await logOf(async ({ say, warn, error, group, diagnostic }) => {
      say(theirs);
      warn(theirs);
      error(theirs);
      const place = { code: 'syntax' as const, file: 'x.yml', line: 1, column: 1, length: 1, path: '' };
      diagnostic({ ...place, message: theirs, found: null, expected: null, nearest: null });
      await group(theirs, async () => undefined);
    });
    expect(log).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(log.match(/a⟨U\+001B⟩\[2Jb⟨U\+009B⟩31m/g)).toHaveLength(5);
  });

  it('stands beside a file, where it is about one', async () => {
    const said = { title: 'wrkbench/api: invalid', message: 'candidate: api: 3 % failed\n::error::x' };
    const log = await logOf(async ({ annotate }) => {
      annotate({ ...said, level: 'warning', file: '.github/workflows/a.yml' });
      annotate({ ...said, level: 'notice', file: '' });
    });
    expect(log).toBe(
      '::warning title=wrkbench/api%3A invalid,file=.github/workflows/a.yml::candidate: api: 3 %25 failed%0A::error::x\n' +
        '::notice title=wrkbench/api%3A invalid::candidate: api: 3 %25 failed%0A::error::x\n',
    );
  });

  it('is a command where we mean one, with what others wrote as its data', async () => {
    const log = await logOf(async ({ warn, error, group }) => {
      warn('it prints\n::add-path::/tmp');
      error('##[add-path]/tmp\r\nmore');
      await group('Programs\n::error::x', async () => undefined);
    });
    expect(log).toBe(
      '::warning::it prints%0A::add-path::/tmp\n::error::##[add-path]/tmp%0Amore\n::group::Programs%0A::error::x\n::endgroup::\n',
    );
  });
});

describe('an upload where the server keeps no artifacts', () => {
  it('is told once for all specs, with the input that ends it', async () => {
    const log = await logOf(async ({ upload }) => {
      expect(await upload('wrkbench-a', '/work/wrkbench-results/a')).toBeNull();
      expect(await upload('wrkbench-b', '/work/wrkbench-results/b')).toBeNull();
    }, false);
    expect(log).toBe(
      '::warning::Artifacts are not kept: this server does not support the current kind. The results are in /work/wrkbench-results. Set the input `upload: false` to go without them.\n',
    );
  });
});
