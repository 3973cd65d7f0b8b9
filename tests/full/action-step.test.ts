// needs: engine, wrk, linux
// seconds: 12
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { job } from '../e2e/support/job.ts';
import { push, quiet, readsOthers, spec, stepWith } from '../e2e/support/measuring-step.ts';
import { githubApi } from '../support/github-api/server.ts';
import { emptyForge } from '../support/github-api/state.ts';
import { specFolder } from '../support/spec-folder.ts';

/** More of a step that measures: tests/e2e/action-step.test.ts has what matters most. */

describe('a step that measures', () => {
  it('fails on a limit, and says which in the summary, though nobody else can be told', async () => {
    const refusing = await githubApi(emptyForge('acme/api'), { tokens: {} });
    onTestFinished(() => refusing.close());
    const folder = specFolder({ 'wrkbench.yml': spec().replace('memory-peak: off', 'memory-peak: {max: 1m}') });
    const own = job(folder, push, { GITHUB_EVENT_NAME: 'push', GITHUB_API_URL: refusing.url });
    const inputs = { token: 'ghs_unknown', upload: 'false', baseline: 'none' };
    const { status, log } = await own.step('action', inputs).ended;
    expect(status).toBe(1);
    expect(log).toContain('::warning::');
    expect(own.outputs().verdict).toBe('regression');
    expect(own.summary()).toMatch(/🔴 1 limit broken: /);
  });

  it('shows mistakes of specs at their lines, and measures the others', async () => {
    const folder = specFolder({
      'a/wrkbench.yml': 'name: a\nservices: {}\nendpoints: {}\nlod: {}\n',
      'b/wrkbench.yml': spec('b'),
    });
    const own = job(folder, push, { GITHUB_EVENT_NAME: 'push' });
    const { status, log } = await own.step('action', { ...quiet, spec: '*/wrkbench.yml', baseline: 'none' }).ended;
    expect(status).toBe(1);
    expect(log).toMatch(/::error title=wrkbench,file=a\/wrkbench\.yml,line=4,/);
    const kept = readFileSync(path.join(folder, 'wrkbench-results', 'a', 'failure.txt'), 'utf8');
    expect(kept).toMatch(/^a\/wrkbench\.yml:\d+:\d+: .* \(and \d mistakes? more\)\n$/);
    expect(own.summary()).toContain('## ❌ Not measured: a/wrkbench.yml:');
    expect(own.outputs().record).toBe(path.join(folder, 'wrkbench-results', 'b', 'run.json'));
  });

  it('says where it cannot keep it from being read, on an older one', async () => {
    const folder = specFolder({ 'without.cjs': 'delete process.execve;' });
    const older = path.join(folder, 'older-node');
    writeFileSync(older, `#!/bin/sh\nexec '${process.execPath}' --require '${folder}/without.cjs' "$@"\n`, {
      mode: 0o755,
    });
    const { log } = await stepWith(readsOthers, older);
    expect(log).toContain(
      `::warning::The job's token can be read by the services of this run, since Node.js ${process.version}`,
    );
  });
});
