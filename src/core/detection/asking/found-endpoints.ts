import { type EndpointSign, type FoundEndpoints, nameFor } from '../endpoints.ts';
import type { LeftOut } from '../files.ts';
import type { LoginSign } from './logins.ts';
import type { KeptCandidate } from './selection.ts';

/** What asking a service gave, as a spec has it. */
interface AnsweredEndpoints {
  kept: readonly KeptCandidate[];
  login: LoginSign | null;
  leftOut: readonly LeftOut[];
  /** Those that files and documents name. */
  basePaths: readonly string[];
}

/** The endpoints of a spec: each as it has answered twice. */
export function answeredEndpoints({ kept, login, leftOut, basePaths }: AnsweredEndpoints): FoundEndpoints {
  const paths = [...kept.map(({ candidate }) => candidate.path), ...(login?.steps ?? []).map(({ path }) => path)];
  const longestFirst = [...basePaths].sort((a, b) => b.length - a.length);
  const basePath = longestFirst.find((base) => paths.every((path) => path.startsWith(`${base}/`))) ?? '';
  const own = (path: string) => path.slice(basePath.length);
  const known = new Set<string>();
  const endpoints = kept.map(({ candidate, outcome }, index): EndpointSign => {
    const { method, path, headers, body, from } = candidate;
    const [bare] = own(path).split('?');
    const name = nameFor(method, bare!, known) ?? nameFor(method, own(path), known) ?? `endpoint-${index + 1}`;
    const { status, contentType } = outcome;
    return { name, from, method, path: own(path), headers, body, status, contentType, isGuess: false };
  });
  return {
    endpoints,
    basePath: basePath === '' ? null : { value: basePath, from: '' },
    leftOut: [...leftOut],
    login: login === null ? null : { ...login, steps: login.steps.map((step) => ({ ...step, path: own(step.path) })) },
  };
}
