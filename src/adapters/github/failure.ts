import { ForgeFailure } from '../../app/ports/forge.ts';

interface RequestError {
  status?: number;
  message?: string;
  response?: { headers?: Record<string, string | undefined>; data?: { message?: unknown } };
}

/** What a job most likely lacks, by what it wanted to write. */
const PERMISSIONS: [RegExp, string][] = [
  [/\/issues\/(?:comments|\d+\/comments)|\/issues\/\d+\/labels/, 'pull-requests: write'],
  [/\/statuses(?:\/|$)/, 'statuses: write'],
  [/\/check-runs/, 'checks: write'],
  [/\/actions\//, 'actions: read'],
  [/\/contents\/|\/git\/|\/compare\/|\/commits\//, 'contents: read'],
  [/\/pulls/, 'pull-requests: read'],
  [/\/pages$/, 'pages: read'],
];

/** A sentence that says what was asked for, what the answer was, and what to do. */
export function forgeFailure(error: unknown, method: string, path: string): ForgeFailure {
  const { status = null, message = '', response } = (error ?? {}) as RequestError;
  // Octokit makes 500 of a connection that broke: there was no answer then.
  const answered = response !== undefined;
  const said = typeof response?.data?.message === 'string' ? response.data.message : message;
  const what = `${method} ${path}`;
  if (!answered) return new ForgeFailure(`${what} was not answered (${firstLine(said)}).`, null);
  return new ForgeFailure(
    `${what} was answered with ${status}: ${firstLine(said)}.${hint(status, method, path)}`,
    status,
  );
}

function hint(status: number | null, method: string, path: string): string {
  if (status === 401) return ' The token is not valid any more, or of another server.';
  if (status !== 403 && status !== 404) return '';
  const permission = PERMISSIONS.find(([pattern]) => pattern.test(path))?.[1];
  if (permission === undefined) return '';
  const forks =
    method === 'GET' ? '' : ' In a pull request from a fork no token may write: report from a second workflow.';
  return ` The job may lack \`permissions: ${permission}\`.${forks}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 200).trim().replace(/\.$/, '') || 'without a reason';
}
