import mergedOptions from '../../../../templates/k6/merged.k6.js';
import script from '../../../../templates/k6/user-script.k6.js';
import { filled } from '../../format/template.ts';
import type { InvocationRequest } from '../definition.ts';
import { requestParts } from '../request.ts';
import { literal } from './literal.ts';
import { optionsOf, type ScriptParts } from './script.ts';
import { handleSummary } from './summary-writer.ts';

export const OWN_FOLDER = 'own';

/** A load of the user's own, which replaces ours. */
export const OWN_LOAD = ['scenarios', 'stages', 'duration', 'iterations', 'vus'] as const;

/**
 * A user's script, `template` by its path beside ours, is imported, not run: it may export only a default function, and gets the case's scenarios, the
 * statistics and the summary from here. What its own `options` name wins, but for thresholds and tags, which are added to ours; a load
 * of its own replaces ours, and is counted as a whole.
 */
export function k6TemplateScript(parts: ScriptParts, template: string): string {
  const ownLoad = OWN_LOAD.map((name) => `given.${name}`).join(' || ');
  return filled(script, {
    "'./__TEMPLATE__'": literal(`./${template}`),
    __OPTIONS__: literal(optionsOf(parts)),
    __OWN_LOAD__: ownLoad,
    '// __MERGED__\n': mergedOptions,
    '// __SUMMARY__\n': handleSummary(
      parts.summaryPath,
      `{ loadSeconds: isOwnLoad ? null : ${literal(parts.loadSeconds)} }`,
    ),
  });
}

/**
 * What a script template of the user's finds in `__ENV`:
 *
 *     WRKBENCH_URL              where the request goes           WRKBENCH_RATE         requests per second, or ''
 *     WRKBENCH_METHOD           GET, POST, …                     WRKBENCH_CONNECTIONS  number of virtual users
 *     WRKBENCH_HEADERS          a JSON object                    WRKBENCH_DURATION     as 10s
 *     WRKBENCH_BODY_FILE        for open(), or ''                WRKBENCH_TIMEOUT      as 2s
 *     WRKBENCH_EXPECTED_STATUS  200, …                           WRKBENCH_KEEP_ALIVE   true or false
 */
export function templateEnvironment(request: InvocationRequest, bodyFile: string | null): Record<string, string> {
  const { case: testCase, rate, durationSeconds, directory } = request;
  const { url, method, headers } = requestParts(request);
  return {
    WRKBENCH_URL: url,
    WRKBENCH_METHOD: method,
    WRKBENCH_HEADERS: JSON.stringify(Object.fromEntries(headers)),
    WRKBENCH_BODY_FILE: bodyFile === null ? '' : `${directory}/${bodyFile}`,
    WRKBENCH_EXPECTED_STATUS: String(testCase.endpoint.expect.status),
    WRKBENCH_RATE: rate === null ? '' : String(rate),
    WRKBENCH_CONNECTIONS: String(testCase.connections),
    WRKBENCH_DURATION: `${durationSeconds}s`,
    WRKBENCH_TIMEOUT: `${testCase.load.timeoutSeconds}s`,
    WRKBENCH_KEEP_ALIVE: String(testCase.keepAlive),
  };
}
