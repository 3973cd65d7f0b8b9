// needs: nothing
import { afterEach, describe, expect, it, vi } from 'vitest';
import { durationText, progressOn } from '../../../src/adapters/terminal/progress.ts';
import type { Progress } from '../../../src/app/ports/progress.ts';

function printedBy(options: { isTTY?: boolean; columns?: number }, env: Record<string, string>): string {
  let text = '';
  const progress: Progress = progressOn({ ...options, write: (chunk) => (text += chunk) }, env);
  progress.say('Docker 28 answers');
  progress.begin('go: 2 cases');
  progress.at({ done: 0, total: 2, what: 'go/ping/direct/wrk/keep-alive/100', remainingSeconds: 61 });
  progress.measured('go/ping/direct/wrk/keep-alive/100  79,312/s');
  progress.warn('100 % of the CPU\n::error::of others');
  progress.end();
  return text;
}

describe('progress', () => {
  it('is plain lines where there is no terminal', () => {
    expect(printedBy({}, {})).toBe(`Docker 28 answers
go: 2 cases
[1/2] go/ping/direct/wrk/keep-alive/100  61 s left
  go/ping/direct/wrk/keep-alive/100  79,312/s
warning: 100 % of the CPU
::error::of others
`);
  });

  it('is log groups and annotations under GitHub Actions, and what others printed is no command there', () => {
    expect(printedBy({}, { GITHUB_ACTIONS: 'true' })).toBe(`Docker 28 answers
::group::go: 2 cases
[1/2] go/ping/direct/wrk/keep-alive/100  61 s left
  go/ping/direct/wrk/keep-alive/100  79,312/s
::warning::100 %25 of the CPU%0A::error::of others
::endgroup::
`);
    let text = '';
    progressOn({ write: (chunk) => (text += chunk) }, { GITHUB_ACTIONS: 'true' }).say('one\n ::set-env::two');
    expect(text).toBe('one\n : :set-env::two\n');
  });

  it('lets no command of others pass in any kind of line', () => {
    let text = '';
    const progress = progressOn({ write: (chunk) => (text += chunk) }, { GITHUB_ACTIONS: 'true' });
    progress.say('GET / 500\r\u0085::add-path::/tmp');
    progress.say('level=info ##[add-path]/tmp');
    progress.begin('go\n::error::x');
    progress.measured('##[error]x');
    progress.at({ done: 0, total: 1, what: '##[error]x', remainingSeconds: 1 });
    progress.warn('it says ##[error]x\r::error::x');
    expect(text).toBe(`GET / 500
⟨U+0085⟩::add-path::/tmp
level=info ## [add-path]/tmp
::group::go%0A::error::x
  ## [error]x
[1/1] ## [error]x  1 s left
::warning::it says ##[error]x%0A::error::x
`);
  });

  it('shows what would act on a terminal, in any kind of line, and acts only where we mean it', () => {
    const theirs = 'a\u001b[2Jb\u001b]0;title\u0007c\rd\u009b31me\u202ef\u200bg';
    for (const env of [{}, { GITHUB_ACTIONS: 'true' }, { TERM: 'xterm' }]) {
      let text = '';
      const progress = progressOn({ isTTY: true, columns: 400, write: (chunk) => (text += chunk) }, env);
      progress.say(theirs);
      progress.warn(theirs);
      progress.begin(theirs);
      progress.at({ done: 0, total: 1, what: theirs, remainingSeconds: 1 });
      progress.busy(null, { title: theirs, what: theirs });
      progress.measured(theirs);
      progress.end();
      const codes = ['\u001b[1m', '\u001b[22m', '\u001b[33m', '\u001b[39m', '\r\u001b[2K'];
      const theirsAlone = codes.reduce((left, code) => left.replaceAll(code, ''), text);
      expect(theirsAlone).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      expect(text.match(/a⟨U\+001B⟩\[2Jb⟨U\+001B⟩\]0;title⟨U\+0007⟩c/g)!.length).toBeGreaterThanOrEqual(7);
    }
  });

  it('keeps one live line at the bottom of a terminal, no longer than the terminal is wide', () => {
    const text = printedBy({ isTTY: true, columns: 30 }, { TERM: 'xterm' });
    expect(text).toContain('[1/2] go/ping/direct/wrk/keep');
    expect(text).not.toContain('[1/2] go/ping/direct/wrk/keep-');
    // The line is wiped before a line above it is written, and written again after it.
    expect(text).toContain('\r\u001b[2K  go/ping/direct/wrk/keep-alive/100  79,312/s\n[1/2] go/ping/direct/wrk/keep');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('is plain on a terminal that knows no control codes', () => {
    expect(printedBy({ isTTY: true }, { TERM: 'dumb' })).toBe(printedBy({}, {}));
  });

  it('tells times no more exactly than an estimate is', () => {
    expect([0.2, 45.4, 89, 91, 3500, 4321].map(durationText)).toEqual([
      '1 s',
      '45 s',
      '89 s',
      '2 min',
      '58 min',
      '1 h 12 min',
    ]);
  });
});

describe('what a side is busy with', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const MIGRATE = { title: 'preparing web', what: 'step 1 of 3, job: installed/venv/bin/netbox migrate' };
  const REQUESTS = { title: 'preparing web', what: 'step 2 of 3, requests: POST /items' };
  const RESTORE = { title: 'web', what: 'putting the data back', isFrequent: true };

  function told(env: Record<string, string>, tell: (progress: Progress) => void): string {
    vi.useFakeTimers();
    let text = '';
    tell(progressOn({ isTTY: env.TERM === 'xterm', columns: 100, write: (chunk) => (text += chunk) }, env));
    return text;
  }

  it.each([[{}], [{ GITHUB_ACTIONS: 'true' }]])(
    'is a line of a log where it begins, and one where it has ended and took long',
    (env) => {
      const text = told(env, (progress) => {
        progress.at({ done: 0, total: 2, what: 'starting web', remainingSeconds: null });
        progress.busy('baseline', MIGRATE);
        progress.busy('candidate', MIGRATE);
        vi.advanceTimersByTime(9_000);
        progress.busy('candidate', { ...REQUESTS, count: '1 of 300' });
        progress.busy('candidate', { ...REQUESTS, count: '120 of 300' });
        vi.advanceTimersByTime(121_000);
        progress.busy('baseline', null);
        progress.busy('candidate', null);
        for (const seconds of [1, 12]) {
          progress.busy(null, RESTORE);
          vi.advanceTimersByTime(seconds * 1000);
          progress.busy(null, null);
        }
      });
      expect(text).toBe(`[1/2] starting web
preparing web, baseline: step 1 of 3, job: installed/venv/bin/netbox migrate
preparing web, candidate: step 1 of 3, job: installed/venv/bin/netbox migrate
preparing web, candidate: step 2 of 3, requests: POST /items
preparing web, baseline: step 1 of 3, job: installed/venv/bin/netbox migrate · took 2 min 10 s
preparing web, candidate: step 2 of 3, requests: POST /items · took 2 min 01 s
web: putting the data back · took 12 s
`);
    },
  );

  it('is the live line of a terminal, whose seconds count on; where the run is stands there again after it', () => {
    const text = told({ TERM: 'xterm' }, (progress) => {
      progress.at({ done: 0, total: 2, what: 'starting web', remainingSeconds: 61 });
      progress.busy(null, MIGRATE);
      vi.advanceTimersByTime(2000);
      progress.busy(null, { ...REQUESTS, count: '1 of 300' });
      progress.busy(null, { ...REQUESTS, count: '120 of 300' });
      vi.advanceTimersByTime(1000);
      progress.busy(null, null);
      vi.advanceTimersByTime(5000);
    });
    expect(text.split('\r\u001b[2K')).toEqual([
      '[1/2] starting web  61 s left',
      'preparing web: step 1 of 3, job: installed/venv/bin/netbox migrate · 0 s',
      'preparing web: step 1 of 3, job: installed/venv/bin/netbox migrate · 1 s',
      'preparing web: step 1 of 3, job: installed/venv/bin/netbox migrate · 2 s',
      'preparing web: step 2 of 3, requests: POST /items, 1 of 300 · 0 s',
      'preparing web: step 2 of 3, requests: POST /items, 120 of 300 · 1 s',
      '[1/2] starting web  61 s left',
    ]);
  });

  it('is said of both sides at once where it is the same, and of each in its part of the line where it is not', () => {
    const text = told({ TERM: 'xterm' }, (progress) => {
      progress.busy('baseline', MIGRATE);
      progress.busy('candidate', MIGRATE);
      progress.busy('baseline', { ...REQUESTS, count: '1 of 300' });
      progress.end();
      vi.advanceTimersByTime(5000);
    });
    expect(text.split('\r\u001b[2K')).toEqual([
      'preparing web, baseline: step 1 of 3, job: installed/venv/bin/netbox migrate · 0 s',
      'preparing web, both sides: step 1 of 3, job: installed/venv/bin/netbox migrate · 0 s',
      'preparing web, baseline: step 2…, 1 of 300 · 0 s | candidate: step 1 of 3, job: installed/ve… · 0 s',
      '',
    ]);
  });
});
