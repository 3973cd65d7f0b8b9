// needs: nothing
import { afterEach, expect, it, vi } from 'vitest';
import { forLog } from '../../../src/entry/log.ts';

afterEach(() => vi.unstubAllEnvs());

it('keeps the log lines of servers, in a table on standard output, from being commands of a workflow', () => {
  const table = '✗ go was not measured, exited: it says\n    ::add-path::/tmp\n    ##[add-path]/tmp\n';
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  expect(forLog(table)).toBe('✗ go was not measured, exited: it says\n    : :add-path::/tmp\n    ## [add-path]/tmp\n');
  vi.stubEnv('GITHUB_ACTIONS', undefined);
  expect(forLog(table)).toBe(table);
});
