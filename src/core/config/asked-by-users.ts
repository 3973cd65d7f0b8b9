import { refuseUnboundedRequests } from '../requests/request-set.ts';
import { filledRequest, isOfLogin, type RequestValues } from '../requests/request-values.ts';
import type { AskedEndpoint } from './asked-endpoint.ts';

/**
 * An endpoint as it is asked with values that only a start of its testbed has: those of its users in turn, where several have logged in
 * and its requests want what they took.
 *
 *     requests   a b c
 *     users      1 2
 *     asked      a1 b2 c1 a2 b1 c2
 *
 * The requests stay in their order, and each meets each user, as far as there is room. Throws `RequestValueError` and `UnusableRequests`.
 */
export function askedByUsers(endpoint: AskedEndpoint, users: readonly RequestValues[]): AskedEndpoint {
  const [first] = users;
  if (first === undefined) return endpoint;
  const { requestSet: set, ...only } = endpoint;
  const requests: readonly AskedEndpoint[] = set?.requests ?? [only];
  if (users.length > 1 && requests.some(isOfLogin)) {
    const requestSet = inTurn(requests, set?.order ?? new Uint32Array(1), users);
    refuseUnboundedRequests(requestSet.requests, `The requests of ${endpoint.name} by ${users.length} users`);
    // Who asks once asks as the first of them.
    return { ...filledRequest(only, first), requestSet };
  }
  const one = filledRequest(only, first);
  return set === undefined
    ? one
    : { ...one, requestSet: { ...set, requests: requests.map((each) => filledRequest(each, first)) } };
}

/** Enough for each of 100 requests to meet each of 100 users. */
const MOST_PLACES = 10_000;

/** Each pair of a request and a user is one of the set, made where the order first comes to it. */
function inTurn(requests: readonly AskedEndpoint[], order: Uint32Array, users: readonly RequestValues[]) {
  const room = Math.floor(MOST_PLACES / order.length);
  const times = Math.max(Math.ceil(users.length / order.length), Math.min(users.length, room));
  // After so many places the same pairs would come again: the users then move on by one.
  const period = (order.length * users.length) / greatestCommon(order.length, users.length);
  const made: AskedEndpoint[] = [];
  const placeOf = new Map<number, number>();
  const places = Uint32Array.from({ length: order.length * times }, (_, place) => {
    const request = order[place % order.length]!;
    const user = (place + Math.floor(place / period)) % users.length;
    const pair = request * users.length + user;
    const known = placeOf.get(pair);
    if (known !== undefined) return known;
    made.push(filledRequest(requests[request]!, users[user]!));
    placeOf.set(pair, made.length - 1);
    return made.length - 1;
  });
  return { requests: made, order: places };
}

function greatestCommon(one: number, other: number): number {
  return other === 0 ? one : greatestCommon(other, one % other);
}
