import { formBody } from '../../requests/content/form.ts';
import type { PrepareRequestSign } from '../endpoints.ts';
import { asMap, isRequestPath } from '../files.ts';
import type { Api } from '../open-api.ts';
import { parametersOf } from '../routes/route.ts';
import { parsed } from './answers.ts';
import {
  type AskedCandidate,
  distinctCandidates,
  type EndpointCandidate,
  isAskingPath,
  itemMakingCandidates,
  postingCandidates,
  readingCandidate,
} from './endpoint-candidate.ts';
import { itemCountIn } from './found-in-answers.ts';
import type { InnerRequest } from './item-candidates.ts';
import { type LoginSign, type LoginStepSign, TOKEN } from './logins.ts';

/** A request that makes something, sent before anything is measured: an empty list tells little of a service. */
export interface MakingRequest {
  candidate: EndpointCandidate;
  /** Of its answer. */
  status: number;
  /** How often it was answered well: 1 where there may be one of its kind. */
  repeat: number;
  /** Name and place of what its answer says of the last one made; null where nothing below it is asked for. */
  take: { name: string; place: string } | null;
}

/** More would take a while, and tell the same. */
export const MOST_MADE = 50;
const MOST_MAKING = 4;

/** What asks or lets in, rather than makes something that is there afterwards. */
const MAKES_NOTHING =
  /(?:^|[/_.-])(?:log-?_?in|log-?_?out|sign-?_?in|auth(?:enticate|orize)?|auth\w*(?=$|\/)|tokens?|sessions?|search\w*|quer(?:y|ies)|check|validate|verify|upload|imports?|exports?|batch|bulk|password\w*|refresh|graphql)(?:$|[/_.-])/i;

/** Requests that may make something, with a body that somebody has written as an example; then those that plainly make an item. */
export function makingCandidates(apis: readonly Api[], asked: readonly AskedCandidate[] = []): EndpointCandidate[] {
  const full = new Set(asked.filter(hasEnough).map(({ candidate }) => candidate.path.split('?')[0]));
  const all = [...postingCandidates(apis), ...itemMakingCandidates(apis)];
  const fit = all.filter(({ path, body }) => body !== null && !/[?{]/.test(path));
  return distinctCandidates(fit)
    .filter(({ path, elsewhere }) => !MAKES_NOTHING.test(path) && !full.has(path) && !full.has(elsewhere ?? path))
    .slice(0, MOST_MAKING);
}

/** What it is started with is there to be read; one or two are what every service has, such as its first account. */
function hasEnough({ candidate, outcome }: AskedCandidate): boolean {
  return candidate.method === 'GET' && typeof outcome !== 'string' && itemCountIn(outcome.body) >= ENOUGH;
}

const ENOUGH = 3;

/** Templates of one parameter below a list: `/items/{id}` and `/items/{id}/parts` of `/items`. */
export function templatesBelow<T extends { template: string }>(list: string, templates: readonly T[]): T[] {
  return templates.filter(
    ({ template }) => parametersOf(template).length === 1 && template.startsWith(`${list.replace(/\/$/, '')}/{`),
  );
}

/** What an answer calls the one that was made, and where it says so; null where it does not. */
export function madeValueIn(body: string, parameter: string): { place: string; value: string } | null {
  return valueIn(parsed(body), '$', letters(parameter), 0);
}

const letters = (name: string) => name.replaceAll(/[^a-z]/gi, '').toLowerCase();

function valueIn(
  json: unknown,
  place: string,
  parameter: string,
  depth: number,
): { place: string; value: string } | null {
  const map = asMap(json);
  const names = Object.keys(map)
    .slice(0, 100)
    .filter((name) => /^[A-Za-z_]\w{0,60}$/.test(name));
  const wanted = [...names.filter((name) => letters(name) === parameter), 'id', 'uuid', '_id', 'pk', 'slug', 'key'];
  for (const name of wanted) {
    const value = Object.hasOwn(map, name) ? map[name] : undefined;
    if (isIdentifier(value)) return { place: `${place}.${name}`, value: String(value) };
  }
  if (depth === 2) return null;
  for (const name of names) {
    const found = valueIn(map[name], `${place}.${name}`, parameter, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function isIdentifier(value: unknown): value is string | number {
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^[\w.~:@-]{1,128}$/.test(value));
}

/** The candidate for a template, with what was made now and with what a spec has in its place. */
export function madeCandidate(template: string, name: string, value: string, from: string): EndpointCandidate | null {
  const path = template.replace(/\{[^{}]*\}/, encodeURIComponent(value));
  const written = template.replace(/\{[^{}]*\}/, () => `\${prepare.${name}}`);
  return isRequestPath(path) && isRequestPath(written) ? { ...readingCandidate(path, from), written } : null;
}

/** Requests to what was made: those that put something into it, and those that ask it for something. */
export function innerCandidates(
  of: readonly InnerRequest[],
  name: string,
  value: string,
  templates: readonly { template: string }[],
): { making: EndpointCandidate[]; asking: EndpointCandidate[] } {
  const candidates = of.flatMap(({ template, from, method, headers, body }) => {
    const own = madeCandidate(template, name, value, from);
    return own === null ? [] : [{ template, candidate: { ...own, method, headers, body } }];
  });
  const isList = (template: string) => templates.some((each) => each.template === template);
  const puts = candidates.filter(({ template }) =>
    isList(template) && !/\}$/.test(template) ? !MAKES_NOTHING.test(template) : PUTS_IN.test(template),
  );
  const asks = candidates.filter(({ template, candidate: { method } }) => method === 'POST' && isAskingPath(template));
  return {
    making: distinctCandidates(puts.map(({ candidate }) => candidate)).slice(0, MOST_INNER),
    asking: distinctCandidates(asks.map(({ candidate }) => candidate)).slice(0, MOST_INNER),
  };
}

const MOST_INNER = 4;
const PUTS_IN = /\/(?:write|add|create|insert|append)$/i;

/** A name that a spec can give to what is taken, of a parameter's. */
export function takenName(parameter: string, known: ReadonlySet<string>): string {
  const plain =
    parameter
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^[^A-Za-z]+|_+$/g, '')
      .slice(0, 28) || 'id';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain}${number}`;
    if (!known.has(name)) return name;
  }
}

/** The account is made by the first step, and can be made once. */
const makesItsAccount = ({ from, steps }: LoginSign) => steps.length > 0 && from.startsWith('POST ');

/** Whether whoever has logged in so can do that before anything is measured as well. */
export function canLogInBefore(login: LoginSign): boolean {
  const { steps, take } = login;
  if (makesItsAccount(login) && steps.length === 1) return false;
  return (
    steps.every((step) => step.cookie === undefined && step.take === undefined) && (steps.length === 0 || take !== null)
  );
}

/** The login that is left where all of it was done before, too. */
export function loginAfter(login: LoginSign): LoginSign {
  return makesItsAccount(login) ? { ...login, steps: login.steps.slice(1) } : login;
}

/** What a spec sends before anything is measured, of what was made: that which its endpoints show. */
export function prepareRequests(
  making: readonly MakingRequest[],
  endpoints: readonly EndpointCandidate[],
  login: LoginSign | null,
): PrepareRequestSign[] {
  const isItsList = (made: string, path: string) => path === made || path.split('/').at(-1) === made.split('/').at(-1);
  const isShown = ({ candidate, take }: MakingRequest): boolean => {
    const holder = /\$\{prepare\.\w+\}/.exec(candidate.written ?? '')?.[0];
    const name = take === null ? holder : `\${prepare.${take.name}}`;
    return (
      endpoints.some(
        ({ method, path, written }) =>
          (name !== undefined && written?.includes(name) === true) ||
          (method === 'GET' && holder !== undefined && isItsList(candidate.path, path.split('?')[0]!)) ||
          (method === 'GET' && path.split('?')[0] === candidate.path),
      ) ||
      (take !== null && making.some((each) => each.candidate.written?.includes(name!) === true && isShown(each)))
    );
  };
  const shown = making.filter(isShown);
  if (shown.length === 0) return [];
  const steps = login?.steps ?? [];
  const header =
    login === null ? {} : { [login.header.name]: login.header.value.replace(TOKEN, `\${prepare.${LOGGED_IN}}`) };
  return [
    ...steps.map((step, index) => loginStep(step, index === steps.length - 1 ? { [LOGGED_IN]: login!.take! } : {})),
    ...shown.map(({ candidate: { method, path, written, headers, body }, status, repeat, take }) => ({
      method,
      path: written ?? path,
      headers: { ...headers, ...header },
      body,
      status,
      repeat,
      take: take === null ? {} : { [take.name]: take.place },
    })),
  ];
}

/** Name of what a login takes. */
export const LOGGED_IN = 'token';

function loginStep({ path, form, body }: LoginStepSign, take: Record<string, string>): PrepareRequestSign {
  const type = form === null ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = form === null ? body : formBody(form);
  return {
    method: sent === null ? 'GET' : 'POST',
    path,
    headers: sent === null ? {} : { 'content-type': type },
    body: sent,
    status: null,
    repeat: 1,
    take,
  };
}
