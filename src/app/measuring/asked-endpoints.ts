import { createHash } from 'node:crypto';
import { canonicalText } from '../../core/baseline/canonical.ts';
import { type AskedEndpoint, askedEndpoint, isUnread } from '../../core/config/asked-endpoint.ts';
import type { Case } from '../../core/config/case.ts';
import type { Endpoint, ResolvedSpec } from '../../core/config/resolved.ts';
import { generators } from '../../core/generators/registry.ts';
import { whyUnsendable } from '../../core/generators/sendable-requests.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { MOST_REQUESTS, UnusableRequests } from '../../core/requests/request-set.ts';
import { RefusedStatement, type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { testbedFailureReason } from './testbed-failure.ts';

/** Endpoints by name, as one testbed is asked for them. */
export interface AskedEndpoints {
  asked: Map<string, AskedEndpoint>;
  /** Why the others cannot be asked. */
  unusable: Map<string, Reason>;
}

/**
 * Reads what the requests of `cases` are made of: files of the checkout, and rows of the testbed's own database. What they came to is in
 * the journal. `endpoints`: all of the spec, which a mix may name. Rejects with `TestbedError` where the database is gone.
 */
export async function askedEndpoints(
  testbed: Testbed,
  cases: readonly Case[],
  endpoints: readonly Endpoint[],
  { requestFiles, store }: Pick<MeasuringAdapters, 'requestFiles' | 'store'>,
): Promise<AskedEndpoints> {
  const asked = new Map<string, AskedEndpoint>();
  const unusable = new Map<string, Reason>();
  const { service, variant, database } = testbed;
  const wanted = new Map(cases.map(({ endpoint }) => [endpoint.name, endpoint]));
  for (const [name, endpoint] of wanted) {
    if (!isUnread(endpoint)) continue;
    const hash = createHash('sha256').update(writtenForm(endpoint, endpoints));
    try {
      const filled = await askedEndpoint(endpoint, {
        endpoints,
        async file(path, mostBytes) {
          const content = await requestFiles.read(path, mostBytes);
          hash.update(`\0${path}\0${content.byteLength}\0`).update(content);
          return content;
        },
        async rows(sql) {
          if (database === null) {
            throw new UnusableRequests(
              `The values of ${name} are read from the database, and the spec has none: add \`database\`, or write the values out.`,
            );
          }
          return await database.selected(sql, MOST_REQUESTS);
        },
      });
      asked.set(name, filled);
      const { requestSet } = filled;
      if (requestSet === undefined) continue;
      await store.journal.append({
        ...{ kind: 'request-set', service: service.name, variant, endpoint: name },
        ...{ requests: requestSet.requests.length, digest: `sha256:${hash.digest('hex')}` },
      });
    } catch (error) {
      unusable.set(name, unusableReason(name, error));
    }
  }
  return { asked, unusable };
}

function unusableReason(endpoint: string, error: unknown): Reason {
  const code = 'unusable-requests';
  if (error instanceof UnusableRequests) return { code, message: error.message };
  if (!(error instanceof RefusedStatement)) throw error;
  return {
    code,
    message: `The values of ${endpoint} cannot be read from the database: ${error.message}. Correct the statement in the spec.`,
  };
}

/** What a request set is told apart by: the spec's words and the content of files. Keys that a database makes up are others each time. */
function writtenForm({ expect: _, ...endpoint }: Endpoint, all: readonly Endpoint[]): string {
  const members = Object.keys(endpoint.mix ?? {}).map((name) => all.find((each) => each.name === name) ?? null);
  return canonicalText([endpoint, members.map((each) => each && { ...each, expect: each.expect.status })]);
}

/** With their requests filled in; those that cannot be asked are lost, and said to be. Null where the testbed has fallen over. */
export async function askableCases(
  testbed: Testbed,
  cases: readonly Case[],
  spec: ResolvedSpec,
  adapters: MeasuringAdapters,
): Promise<Case[] | null> {
  let asked: AskedEndpoints;
  try {
    asked = await askedEndpoints(testbed, cases, spec.endpoints, adapters);
  } catch (error) {
    if (!(error instanceof TestbedError)) throw error;
    adapters.progress.warn(testbedFailureReason(testbed.service, (await testbed.failure()) ?? error).message);
    return null;
  }
  const { filled, lost } = filledCases(cases, asked);
  for (const message of new Set([...lost.values()].map((reason) => reason.message))) adapters.progress.warn(message);
  for (const [caseKey, reason] of lost) await adapters.store.journal.append({ kind: 'lost', caseKey, reason });
  return filled;
}

/** Cases with what they are asked filled in; and why the others cannot be loaded, by key. */
export function filledCases(
  cases: readonly Case[],
  { asked, unusable }: AskedEndpoints,
): { filled: Case[]; lost: Map<string, Reason> } {
  const lost = new Map<string, Reason>();
  const filled = cases.flatMap((testCase): Case[] => {
    const { name } = testCase.endpoint;
    const own = { ...testCase, endpoint: asked.get(name) ?? testCase.endpoint };
    const reason = unusable.get(name) ?? unsendable(own);
    if (reason === null) return [own];
    lost.set(testCase.key, reason);
    return [];
  });
  return { filled, lost };
}

function unsendable({ endpoint, generator, load }: Case): Reason | null {
  if (endpoint.requestSet === undefined) return null;
  const definition = generators[generator];
  const message = whyUnsendable(definition, endpoint.requestSet, {
    script: definition.load.scriptOf(load),
    what: `The requests of ${endpoint.name}`,
  });
  return message === null ? null : { code: 'unsendable-requests', message };
}
