import { judgedAnswer, type SeenAnswer } from '../../core/detection/asking/answers.ts';
import { distinctCandidates, type EndpointCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
import type { InnerRequest, ItemTemplate } from '../../core/detection/asking/item-candidates.ts';
import {
  innerCandidates,
  LOGGED_IN,
  type MakingRequest,
  MOST_MADE,
  madeCandidate,
  madeValueIn,
  takenName,
  templatesBelow,
} from '../../core/detection/asking/made-items.ts';
import { parametersOf } from '../../core/detection/routes/route.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import type { Requests } from './asked-requests.ts';

type Clock = MeasuringAdapters['clock'];

/** What was made, and what it can be asked for now. */
export interface MadeItems {
  making: MakingRequest[];
  candidates: EndpointCandidate[];
}

/** Of each list that has something made in it. */
const MOST_BELOW = 4;
/** Of what is put into one that was made: a thing with 50 parts is dearer than most are. */
const MOST_WITHIN = 10;
/** Of all the time for asking. */
const SECONDS_EACH = 4;

/** Has a service make something by each candidate, as often as it takes the same again. Rejects as `seen` does. */
export async function madeItems(
  candidates: readonly EndpointCandidate[],
  { templates, inner }: { templates: readonly ItemTemplate[]; inner: readonly InnerRequest[] },
  requests: Requests,
  clock: Pick<Clock, 'monotonicNs'>,
): Promise<MadeItems> {
  const making: MakingRequest[] = [];
  const found: EndpointCandidate[] = [];
  const names = new Set([LOGGED_IN]);
  for (const candidate of candidates) {
    const made = await madeBy(candidate, requests, clock);
    if (made === null) continue;
    const { path } = made.candidate;
    const below = templatesBelow(path, templates);
    const sent = templatesBelow(path, inner);
    const [first] = [...below, ...sent];
    const parameter = first === undefined ? null : parametersOf(first.template)[0]!;
    const known = parameter === null ? null : madeValueIn(made.body, parameter);
    const name = known === null ? null : takenName(parameter!, names);
    if (name !== null) names.add(name);
    making.push({
      candidate: made.candidate,
      status: made.status,
      repeat: made.repeat,
      take: name === null ? null : { name, place: known!.place },
    });
    if (name === null) continue;
    const own = below.flatMap(({ template, from }) => madeCandidate(template, name, known!.value, from) ?? []);
    found.push(...distinctCandidates(own).slice(0, MOST_BELOW));
    const within = innerCandidates(sent, name, known!.value, below);
    for (const each of within.making) {
      const put = await madeBy(each, requests, clock, MOST_WITHIN);
      if (put !== null) making.push({ candidate: put.candidate, status: put.status, repeat: put.repeat, take: null });
    }
    found.push(...within.asking);
  }
  return { making, candidates: found };
}

interface Made {
  candidate: EndpointCandidate;
  status: number;
  repeat: number;
  /** Of the last answer. */
  body: string;
}

async function madeBy(
  candidate: EndpointCandidate,
  requests: Requests,
  clock: Pick<Clock, 'monotonicNs'>,
  most = MOST_MADE,
): Promise<Made | null> {
  const endNs = clock.monotonicNs() + SECONDS_EACH * 1e9;
  let own = candidate;
  let answer = await requests.seen(own);
  if (own.elsewhere !== null && judgedAnswer(answer) === 'missing') {
    own = { ...own, path: own.elsewhere, elsewhere: null };
    answer = await requests.seen(own);
  }
  if (!isMade(answer)) return null;
  let last: Answered = answer;
  let repeat = 1;
  while (repeat < most && clock.monotonicNs() < endNs) {
    const again = await requests.seen(own);
    if (!isMade(again) || again.status !== last.status) break;
    last = again;
    repeat += 1;
  }
  return { candidate: own, status: last.status, repeat, body: last.body };
}

type Answered = Extract<SeenAnswer, { status: number }>;

function isMade(answer: SeenAnswer): answer is Answered {
  return typeof judgedAnswer(answer) !== 'string';
}
