import { describe, expect, it, onTestFinished } from 'vitest';
import { authorOf } from '../../../src/adapters/github/author.ts';
import { createClient } from '../../../src/adapters/github/client.ts';
import { githubApi } from '../../support/github-api/server.ts';
import { emptyForge } from '../../support/github-api/state.ts';

async function askedAs(token: string, graphql: boolean): Promise<string> {
  const tokens = { ghs_ofAnApp: { permissions: {}, login: 'acme-bench[bot]' } };
  const api = await githubApi(emptyForge(), { tokens });
  onTestFinished(() => api.close());
  const client = createClient({ apiUrl: api.url, token, version: '0.0.0', warn: () => {}, secondMs: 1 });
  return await authorOf(token, graphql ? `${api.url}/graphql` : null, client);
}

describe('the author of a comment', () => {
  it('is the app whose token it is: its comments are found again', async () => {
    expect(await askedAs('ghs_ofAnApp', true)).toBe('acme-bench[bot]');
  });

  it.each([
    ['there is no GraphQL', 'ghs_ofAnApp', false],
    ['the token is not known', 'ghs_unknown', true],
    ['a user may not be asked for', 'github_pat_x', true],
  ])('is taken to be a workflow where %s', async (_, token, graphql) => {
    expect(await askedAs(token, graphql)).toBe('github-actions[bot]');
  });
});
