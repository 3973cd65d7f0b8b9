import { type EndpointSign, type FoundEndpoints, nameFor } from '../endpoints.ts';
import type { LeftOut } from '../files.ts';
import type { KeptCandidate } from './endpoint-candidate.ts';
import type { LoginSign } from './logins.ts';
import { loginAfter, type MakingRequest, prepareRequests } from './made-items.ts';

/** What asking a service gave, as a spec has it. */
interface AnsweredEndpoints {
  kept: readonly KeptCandidate[];
  login: LoginSign | null;
  /** What made something to read, and who was logged in to it. */
  made?: { requests: readonly MakingRequest[]; login: LoginSign | null };
  leftOut: readonly LeftOut[];
  /** Those that files and documents name. */
  basePaths: readonly string[];
}

/** The endpoints of a spec: each as it has answered twice. */
export function answeredEndpoints(answered: AnsweredEndpoints): FoundEndpoints {
  const { kept, login, made = { requests: [], login: null }, leftOut, basePaths } = answered;
  const asked = kept.map(({ candidate }) => candidate);
  const prepare = prepareRequests(made.requests, asked, made.login);
  const after = login === null || prepare.length === 0 ? login : loginAfter(login);
  const paths = [...asked, ...(after?.steps ?? []), ...prepare].map(({ path }) => path);
  const longestFirst = [...basePaths].sort((a, b) => b.length - a.length);
  const basePath = longestFirst.find((base) => paths.every((path) => path.startsWith(`${base}/`))) ?? '';
  const own = (path: string) => path.slice(basePath.length);
  const known = new Set<string>();
  const endpoints = kept.map(({ candidate, outcome }, index): EndpointSign => {
    const { method, path: askedPath, written: path = askedPath, headers, body, from } = candidate;
    const plain = own(path).replaceAll(/\$\{prepare\.([\w-]+)\}/g, '$1');
    const [bare] = plain.split('?');
    const name = nameFor(method, bare!, known) ?? nameFor(method, plain, known) ?? `endpoint-${index + 1}`;
    const { status, contentType } = outcome;
    return { name, from, method, path: own(path), headers, body, status, contentType, isGuess: false };
  });
  return {
    endpoints,
    basePath: basePath === '' ? null : { value: basePath, from: '' },
    leftOut: [...leftOut],
    prepare: prepare.map((request) => ({ ...request, path: own(request.path) })),
    login: after === null ? null : { ...after, steps: after.steps.map((step) => ({ ...step, path: own(step.path) })) },
  };
}
