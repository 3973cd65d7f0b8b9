import { type ApiLogins, loginsOfRoutes } from '../../core/detection/api-logins.ts';
import { judgedAnswer, type SeenAnswer } from '../../core/detection/asking/answers.ts';
import {
  type AskedCandidate,
  distinctCandidates,
  type EndpointCandidate,
  type KeptCandidate,
  MOST_READING,
  postingCandidates,
  readingCandidate,
  readingCandidates,
  writingCandidates,
} from '../../core/detection/asking/endpoint-candidate.ts';
import { linkedCandidates } from '../../core/detection/asking/found-in-answers.ts';
import { innerRequests, itemCandidates, itemTemplates } from '../../core/detection/asking/item-candidates.ts';
import { type Account, accountsIn, keyPathsAmong, type LoginSign } from '../../core/detection/asking/logins.ts';
import { canLogInBefore, type MakingRequest, makingCandidates } from '../../core/detection/asking/made-items.ts';
import { groupsOut, selectedCandidates } from '../../core/detection/asking/selection.ts';
import type { EndpointSources } from '../../core/detection/endpoints.ts';
import type { LeftOut } from '../../core/detection/files.ts';
import type { Api } from '../../core/detection/open-api.ts';
import { isHealthPath } from '../../core/detection/routes/route.ts';
import { counted } from '../../core/format/figures.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import type { Testbed } from '../ports/testbed.ts';
import { type LoggedInWay, workingLogin } from './asked-logins.ts';
import { type Requests, requestsTo } from './asked-requests.ts';
import { madeItems } from './made-items.ts';
import { type RootAnswer, rootAnswers, servedApi, unlessOver } from './self-description.ts';
import { withoutSlowPassword } from './slow-password.ts';

export type AskingAdapters = Pick<MeasuringAdapters, 'probe' | 'clock' | 'progress'>;

/** What a service has answered. */
export interface AskedService {
  /** Those that are worth measuring, the best first. */
  kept: KeptCandidate[];
  /** How many were asked for. */
  asked: number;
  /** How many of them the service failed at. */
  failing: number;
  /** Where the candidates come from: documents, files, answers. */
  from: string[];
  leftOut: LeftOut[];
  login: LoggedInWay | null;
  /** What has made something that there is to read, and who was logged in to it. */
  made: { requests: readonly MakingRequest[]; login: LoginSign | null };
  /** Base paths of what described it. */
  basePaths: string[];
  /** A path that is there to show that it is up. */
  health: string | null;
}

/** All of it. */
const SECONDS = 60;

/** Asks a service that is up what it serves. Rejects only with the reason of the signal. */
export async function askedService(
  testbed: Testbed,
  sources: EndpointSources,
  adapters: AskingAdapters,
  signal: AbortSignal,
): Promise<AskedService> {
  const { progress, probe } = adapters;
  const time = AbortSignal.timeout(SECONDS * 1000);
  const requestsWith = (header: LoggedInWay['header'] | null) => requestsTo(testbed, probe, { signal, time }, header);
  const requests = requestsWith(null);
  const settled = sources.basePath?.value ?? '';
  const roots = await rootAnswers(requests, settled, adapters, signal, time);
  const served = await servedApi([settled, sources.api?.basePath ?? ''], testbed, adapters, signal, time);
  const described = fullestOf([served, sources.api]);
  // People write down what matters, with values that are there; documents tell the ways in more surely.
  const apis = [...sources.written, ...described];
  const nowhere = await unlessOver(
    () => requests.seen(readingCandidate('/wrkbench-asks-for-nothing', '')),
    signal,
    time,
  );

  const links = roots.flatMap(({ path, answer }) =>
    'failure' in answer || answer.status !== 200 ? [] : linkedCandidates(path, answer.body, hostOf(testbed)),
  );
  const reading = readingCandidates({ apis, routes: sources.routes, basePath: settled });
  const candidates = distinctCandidates([...reading, ...links, ...known(testbed, roots)]);
  progress.say(`Asking ${testbed.service.name} for ${counted(Math.min(candidates.length, MOST_READING), 'path')}.`);
  const asked: AskedCandidate[] = [];
  for (const candidate of candidates.slice(0, MOST_READING)) asked.push(await requests.askedTwice(candidate, nowhere));
  for (const index of cameLate(asked)) asked[index] = await requests.askedTwice(asked[index]!.candidate, nowhere);

  const first = await loginFor(asked, {
    logins: [
      ...[...described, ...sources.written].map((api) => withBasePath(api)),
      loginsOfRoutes(sources.routes, settled),
    ],
    accounts: [...accountsIn(testbed.service.env), ...sources.accounts],
    ...{ requests, requestsWith, signal, time },
  });
  const posted = [
    ...sources.routes.flatMap(({ method, path }) => (method === 'POST' ? [`${settled}${path}`] : [])),
    ...postingCandidates(apis).map(({ path }) => path),
  ];
  const found = { asked, keyPaths: keyPathsAmong(posted) };
  const sooner = await unlessOver(() => withoutSlowPassword(first, found, requestsWith, adapters.clock), signal, time);
  const { login, leftOut: slowPassword } = sooner ?? { login: first, leftOut: [] };
  const own = login === null ? requests : requestsWith(login.header);
  // Not by a key: where these requests are sent again, so is what would make another one of its name.
  const making = first === null ? requests : requestsWith(first.header);
  if (login !== null) {
    const before = new Set(asked.map(({ candidate }) => candidate.path));
    const behind: EndpointCandidate[] = [];
    for (const [index, { candidate, outcome }] of asked.entries()) {
      if (outcome !== 'login') continue;
      const again = await own.askedTwice(candidate, nowhere);
      asked[index] = withLogin(again, login);
      const { path } = again.candidate;
      if (roots.some((root) => root.path === path) && typeof again.outcome !== 'string')
        behind.push(...linkedCandidates(path, again.outcome.body, hostOf(testbed)));
    }
    const named: AskedCandidate[] = [];
    for (const candidate of distinctCandidates(behind).filter(({ path }) => !before.has(path)))
      named.push(withLogin(await own.askedTwice(candidate, nowhere), login));
    asked.unshift(...named);
  }
  const askedBoth = async (candidate: EndpointCandidate): Promise<AskedCandidate> => {
    const first = await requests.askedTwice(candidate, nowhere);
    const isLocked = first.outcome === 'login' && login !== null;
    return isLocked ? withLogin(await own.askedTwice(candidate, nowhere), login) : first;
  };
  const templates = itemTemplates(apis, sources, settled);
  const canMake = sources.keepsData && (first === null || canLogInBefore(first.sign));
  const made = canMake
    ? await unlessOver(
        () =>
          madeItems(makingCandidates(apis, asked), { templates, inner: innerRequests(apis) }, making, adapters.clock),
        signal,
        time,
      )
    : null;
  for (const candidate of made?.candidates ?? []) asked.push(await askedBoth(candidate));
  if (made !== null) {
    for (const [index, { candidate, outcome }] of asked.entries()) {
      if (isEmptyList(outcome)) asked[index] = await askedBoth(withoutLogin(candidate, login));
    }
  }
  for (const candidate of itemCandidates(asked, templates)) asked.push(await askedBoth(candidate));
  // The login itself is asked for anyway: behind it data would be put back, which a login need not have changed.
  const ofLogin = new Set(login?.sign.steps.map(({ path }) => path));
  for (const candidate of writingCandidates({ apis, routes: [], basePath: settled })) {
    if (ofLogin.has(candidate.path)) continue;
    const one = await own.askedTwice(candidate, nowhere);
    asked.push(login === null ? one : withLogin(one, login));
  }
  const kept = selectedCandidates(asked);
  const isUsed = kept.some(({ candidate }) => candidate.needsLogin === true);
  return {
    kept,
    asked: asked.length,
    failing: asked.filter(({ outcome }) => outcome === 'fails').length,
    from: [...new Set(asked.map(({ candidate }) => candidate.from))].filter((from) => from !== ''),
    leftOut: [
      ...(isUsed ? slowPassword : []),
      ...groupsOut(asked, kept),
      ...unasked(candidates.slice(MOST_READING), described),
    ],
    login: isUsed ? login : null,
    made: { requests: made?.making ?? [], login: first?.sign ?? null },
    health: healthIn(asked),
    basePaths: [settled, ...apis.map(({ basePath }) => basePath)].filter((path) => path !== ''),
  };
}

/** Its own document, or the one in the repository where that says more of what can be asked; both describe the same. */
function fullestOf(apis: readonly (Api | null)[]): Api[] {
  const known = apis.filter((api): api is Api => api !== null);
  return known.toSorted((a, b) => b.endpoints.length - a.endpoints.length).slice(0, 1);
}

/** Of those that were asked first: what a service begins with takes it longer than anything after it. */
function cameLate(asked: readonly AskedCandidate[]): number[] {
  const late = asked.flatMap(({ outcome }, index) => (outcome === 'endless' ? [index] : []));
  return late.length === asked.length ? [] : late.slice(0, MOST_LATE);
}

/** Each may take all of its time again. */
const MOST_LATE = 2;

/** The path by which it is seen to be up, and the root where that is something. */
function known({ service }: Testbed, roots: readonly RootAnswer[]): EndpointCandidate[] {
  const ready = service.ready.path === null ? [] : [readingCandidate(service.ready.path, '')];
  const isThere = (answer: SeenAnswer) =>
    !('failure' in answer) && (answer.status === 200 || judgedAnswer(answer) === 'login');
  const answering = roots.filter(({ answer }) => isThere(answer));
  return [...answering.map(({ path }) => readingCandidate(path, '')), ...ready];
}

function healthIn(asked: readonly AskedCandidate[]): string | null {
  const good = asked.filter(({ outcome, candidate }) => typeof outcome !== 'string' && candidate.needsLogin !== true);
  return good.find(({ candidate }) => isHealthPath(candidate.path))?.candidate.path ?? null;
}

interface LoginContext {
  logins: readonly ApiLogins[];
  accounts: readonly Account[];
  requests: Requests;
  requestsWith(header: LoggedInWay['header'] | null): Requests;
  signal: AbortSignal;
  time: AbortSignal;
}

async function loginFor(asked: readonly AskedCandidate[], context: LoginContext): Promise<LoggedInWay | null> {
  const { logins, accounts, requests, requestsWith, signal, time } = context;
  const locked = asked.filter(({ outcome }) => outcome === 'login').map(({ candidate }) => candidate);
  if (locked.length === 0) return null;
  return await unlessOver(
    async () => {
      const first = await requests.seen(locked[0]!);
      return await workingLogin(logins, accounts, { locked, first }, requestsWith);
    },
    signal,
    time,
  );
}

/** A document's own paths are below its base path, or at the root where that is a gateway's. */
function withBasePath({ logins, basePath }: Api): Api['logins'] {
  const both = <T extends { path: string }>(requests: readonly T[]): T[] =>
    requests.flatMap((request) =>
      basePath === '' || request.path.startsWith(`${basePath}/`)
        ? [request]
        : [{ ...request, path: `${basePath}${request.path}` }, request],
    );
  return { ...logins, requests: both(logins.requests), registrations: both(logins.registrations) };
}

function withLogin(asked: AskedCandidate, { sign }: { sign: LoginSign }): AskedCandidate {
  if (typeof asked.outcome === 'string') return asked;
  const { name, value } = sign.header;
  const { headers } = asked.candidate;
  return { ...asked, candidate: { ...asked.candidate, headers: { ...headers, [name]: value }, needsLogin: true } };
}

function withoutLogin(candidate: EndpointCandidate, login: LoggedInWay | null): EndpointCandidate {
  if (login === null || candidate.needsLogin !== true) return candidate;
  const own = Object.entries(candidate.headers).filter(([name]) => name !== login.sign.header.name);
  return { ...candidate, headers: Object.fromEntries(own), needsLogin: false };
}

function isEmptyList(outcome: AskedCandidate['outcome']): boolean {
  return typeof outcome !== 'string' && outcome.isEmpty;
}

/** What was not asked for at all, by its reason. */
function unasked(beyond: readonly EndpointCandidate[], apis: readonly Api[]): LeftOut[] {
  const counts = new Map<string, number>();
  for (const { why } of apis.flatMap((api) => api.left)) {
    const reason = /no example/.test(why) ? 'the document has no example of what it needs' : `it ${why}`;
    const kind = reason.replace(/ for its parameter \S+/, ' for a parameter');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [
    ...(beyond.length === 0
      ? []
      : [{ what: counted(beyond.length, 'more path'), why: `${MOST_READING} were asked for` }]),
    ...[...counts].map(([why, count]) => ({ what: counted(count, 'operation'), why })),
  ];
}

function hostOf({ origins }: Testbed): string {
  return origins.direct!.replace(/^https?:\/\//, '');
}
