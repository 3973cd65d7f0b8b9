import type { Invocation, InvocationRequest } from '../../definition.ts';
import { loadOfCase } from '../../request.ts';
import { askedRequest, filesWith, k6Command, k6Environment, longestSeconds, SCRIPT } from '../invocation.ts';
import type { K6CaseLoad } from '../load.ts';
import { SUMMARY } from '../summary-writer.ts';
import { templateEnvironment } from '../template.ts';
import { type DuetScriptParts, k6DuetScript } from './script.ts';
import { SIDES } from './sides.ts';
import { environmentFiles, k6DuetTemplateScript } from './template.ts';

const BODIES = ['body', 'second-body'] as const;
const REQUESTS = ['requests.json', 'second-requests.json'] as const;

/** One k6 with a scenario for each side: see `sides.ts`. */
export function k6DuetInvocation(requests: readonly [InvocationRequest, InvocationRequest]): Invocation {
  const [first, second] = requests;
  const { connections, keepAlive } = first.case;
  const load = loadOfCase<K6CaseLoad>(first, 'k6');
  if (second.case.key !== first.case.key || second.rate !== first.rate) {
    throw new TypeError(`${first.case.key} and ${second.case.key} are not the two sides of one duet`);
  }
  const parts: DuetScriptParts = {
    requests: [askedRequest(first, BODIES[0], REQUESTS[0]), askedRequest(second, BODIES[1], REQUESTS[1])],
    timeoutSeconds: load.timeoutSeconds,
    load: { rate: first.rate, loadSeconds: first.durationSeconds },
    connections,
    keepAlive,
    env: null,
    summaryPath: `${first.directory}/${SUMMARY}`,
  };
  return {
    ...k6Command(first),
    ...filesWith(parts.requests, filesOf(requests, parts), first.script !== null),
    ...(first.script === null ? {} : { scriptFolders: [...SIDES] }),
    env: k6Environment(first),
    timeoutSeconds: longestSeconds(first, 2 * connections),
  };
}

function filesOf([first, second]: readonly [InvocationRequest, InvocationRequest], parts: DuetScriptParts) {
  const { script } = first;
  if (script === null) return { [SCRIPT]: k6DuetScript(parts) };
  const bodyFiles = parts.requests.map(({ body }, side) => (body === null ? null : BODIES[side as 0 | 1]));
  const templateParts = {
    ...parts,
    script,
    env: [templateEnvironment(first, bodyFiles[0]!), templateEnvironment(second, bodyFiles[1]!)] as const,
  };
  return {
    [SCRIPT]: k6DuetTemplateScript(templateParts),
    ...environmentFiles(templateParts),
  };
}
