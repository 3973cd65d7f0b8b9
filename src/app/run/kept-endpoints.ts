import type { Endpoint } from '../../core/config/resolved.ts';
import { answeredEndpoints } from '../../core/detection/asking/found-endpoints.ts';
import { TOKEN } from '../../core/detection/asking/logins.ts';
import { counted } from '../../core/format/figures.ts';
import { durationText } from '../../core/plan/duration-text.ts';
import { MOST_WAIT_SECONDS } from '../../core/plan/fitting-load.ts';
import type { Testbed } from '../ports/testbed.ts';
import { requestsTo } from './asked-requests.ts';
import type { AskedService, AskingAdapters } from './asking.ts';

const NO_TIME = `works too, but with more endpoints a pull request waits longer than ${durationText(MOST_WAIT_SECONDS)}`;

/** Those that another service of the spec answers in the same way. */
export async function alsoAnswered(
  testbed: Testbed,
  asked: AskedService,
  { probe }: Pick<AskingAdapters, 'probe'>,
  signal: AbortSignal,
): Promise<AskedService> {
  const time = AbortSignal.timeout(SECONDS_FOR_ANOTHER * 1000);
  const requests = requestsTo(testbed, probe, { signal, time });
  const kept: AskedService['kept'] = [];
  for (const each of asked.kept) {
    // Who has logged in to the one is nobody to the other, which has a login of its own in a run.
    if (each.candidate.needsLogin === true) {
      kept.push(each);
      continue;
    }
    const { outcome } = await requests.askedTwice(each.candidate, null);
    if (typeof outcome !== 'string' && outcome.status === each.outcome.status) kept.push(each);
  }
  const lost = asked.kept.length - kept.length;
  const leftOut = { what: counted(lost, 'endpoint'), why: `${testbed.service.name} answers otherwise` };
  return { ...asked, kept, leftOut: lost === 0 ? asked.leftOut : [leftOut, ...asked.leftOut] };
}

const SECONDS_FOR_ANOTHER = 60;

/** The best of what was kept, as many as a pull request has the time for. */
export function firstKept(asked: AskedService, count: number): AskedService {
  const kept = asked.kept.slice(0, count);
  const others = asked.kept.slice(count).map(({ candidate: { method, path, written = path } }) => ({
    what: `${method} ${written}`,
    why: NO_TIME,
    kind: 'route' as const,
  }));
  const isUsed = kept.some(({ candidate }) => candidate.needsLogin === true);
  return { ...asked, kept, leftOut: [...others, ...asked.leftOut], login: isUsed ? asked.login : null };
}

/** An endpoint as it is asked, with its path as the spec has it. */
export interface EndpointToMeasure extends Endpoint {
  written: string;
}

/** As they are asked: whoever has to be logged in is. */
export function endpointsToMeasure(asked: AskedService): EndpointToMeasure[] {
  const { kept, login } = asked;
  const names = answeredEndpoints({ ...asked, login: login?.sign ?? null }).endpoints;
  return kept.map(({ candidate, outcome }, index): EndpointToMeasure => {
    const { method, path, body, written = path } = candidate;
    const own = Object.entries(candidate.headers).map(([name, value]) => [
      name,
      value.includes(TOKEN) ? login!.header.value : value,
    ]);
    return {
      name: names[index]!.name,
      method,
      path,
      written,
      headers: Object.fromEntries(own),
      body,
      expect: { status: outcome.status, contentType: outcome.contentType, body: null, sizeBytes: null, matches: null },
    };
  });
}
