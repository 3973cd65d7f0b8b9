import * as z from 'zod';
import { login } from './answers.ts';
import type { createClient } from './client.ts';

type Client = ReturnType<typeof createClient>;

/** Login of what the token of a workflow writes. */
const WORKFLOW_AUTHOR = 'github-actions[bot]';

/**
 * As whom a token writes. That of an app may not ask for a user, and that of a workflow is one of an app: both are told by
 * GraphQL alone, under the name that comments have. A forge without it has comments by whoever `/user` says, or by workflows.
 */
export async function authorOf(token: string, graphqlUrl: string | null, client: Client): Promise<string> {
  const asked = token.startsWith('ghs_') ? viewer(graphqlUrl, client) : user(client);
  return (await asked.catch(() => null)) ?? WORKFLOW_AUTHOR;
}

async function user(client: Client): Promise<string | null> {
  const { data } = await client.request('GET /user', { request: { retries: 0 } });
  return login.safeParse(data).data?.login ?? null;
}

const viewerAnswer = z.object({ data: z.object({ viewer: login }) });

async function viewer(graphqlUrl: string | null, client: Client): Promise<string | null> {
  if (graphqlUrl === null) return null;
  const { data } = await client.request({
    method: 'POST',
    url: graphqlUrl,
    data: { query: '{ viewer { login } }' },
    request: { retries: 0 },
  });
  return viewerAnswer.safeParse(data).data?.data.viewer.login ?? null;
}
