// needs: nothing
import { describe, expect, it } from 'vitest';
import { progressOn } from '../../../src/adapters/terminal/progress.ts';
import { relay } from '../../../src/adapters/terminal/progress-lines.ts';
import type { Progress } from '../../../src/app/ports/progress.ts';
import { RUNNER_CONTAINER_VARIABLES } from '../../../src/core/topology/runner-container.ts';

const IN_RUNNER_CONTAINER = { [RUNNER_CONTAINER_VARIABLES.progress]: 'lines', GITHUB_ACTIONS: 'true' };

/** Told in a runner container, and told on in a place with these variables. */
function relayed(env: Record<string, string>, tell: (progress: Progress) => void, between: string[] = []): string {
  let inner = '';
  tell(progressOn({ write: (chunk) => (inner += chunk) }, IN_RUNNER_CONTAINER));
  let text = '';
  const outer = progressOn({ write: (chunk) => (text += chunk) }, env);
  const lines = [...inner.split('\n').slice(0, -1), ...between];
  for (const line of lines) relay(line, outer, (said) => said.replaceAll('/work/', '/home/me/'));
  return text;
}

const everything = (progress: Progress) => {
  progress.say('Docker 28 answers');
  progress.begin('go: 2 cases');
  progress.at({ done: 0, total: 2, what: 'go/ping', remainingSeconds: 61 });
  progress.at({ done: 0, total: 2, what: 'starting go', remainingSeconds: null });
  progress.busy('baseline', { title: 'preparing go', what: 'step 1 of 2, requests: GET /', count: '1 of 9' });
  progress.busy('baseline', null);
  progress.measured('go/ping  79,312/s');
  progress.warn('100 % of the CPU\n::error::of others');
  progress.end();
};

describe('progress that is told on', () => {
  it('is what it would be in this place, as groups and annotations of a job', () => {
    for (const env of [{ GITHUB_ACTIONS: 'true' }, {}]) {
      let text = '';
      everything(progressOn({ write: (chunk) => (text += chunk) }, env));
      expect(relayed(env, everything)).toBe(text);
    }
    expect(relayed({ GITHUB_ACTIONS: 'true' }, everything)).toContain(
      '::warning::100 %25 of the CPU%0A::error::of others',
    );
  });

  it('names files as they are called here', () => {
    expect(relayed({}, (progress) => progress.say('see /work/out'))).toBe('see /home/me/out\n');
  });

  it('has no command in it that others wrote, in a line of ours or in one of their own', () => {
    const said = relayed({ GITHUB_ACTIONS: 'true' }, (progress) => progress.say('\n::set-output name=verdict::same'), [
      '::error::theirs',
      '##[error]theirs',
      '{"event":"warn","text":"a\\n::error::theirs"}',
    ]);
    expect(said).toBe(
      '\n: :set-output name=verdict::same\n: :error::theirs\n## [error]theirs\n::warning::a%0A::error::theirs\n',
    );
  });

  it.each([
    '{"event":"say"}',
    '{"event":"at","state":{"done":1}}',
    '{"event":"at","state":null}',
    '{"event":"busy","side":"other","task":null}',
    '{"event":"busy","side":null,"task":{"title":"go"}}',
    '{"event":"toString","text":"x"}',
    '{"event":',
  ])('says %s as it stands, since it is no line of ours', (line) => {
    expect(relayed({}, () => undefined, [line])).toBe(`${line}\n`);
  });
});
