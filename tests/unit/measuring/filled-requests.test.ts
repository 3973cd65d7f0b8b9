import { describe, expect, it } from 'vitest';
import { withFilledAnswers, withFilledRequests } from '../../../src/app/measuring/filled-requests.ts';
import { valuesByOrigin } from '../../../src/app/measuring/values-by-origin.ts';
import {
  GeneratorNotStarted,
  type GeneratorRunner,
  type GeneratorRunRequest,
} from '../../../src/app/ports/generators.ts';
import type { HttpProbe } from '../../../src/app/ports/http-probe.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import { testCase } from '../support/trials.ts';

const never = new AbortController().signal;
const [one, other] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
const { endpoint, service, ...own } = testCase();
const asked: Endpoint = { ...endpoint, headers: { authorization: 'Bearer ${login.token}' } };
const written = { ...own, service, endpoint: asked };

function given() {
  const values = valuesByOrigin();
  values.set({ origins: { direct: one, gateway: `${one}0` } }, [{ 'login.token': 'of-one' }]);
  const sent: string[] = [];
  const send = ({ headers }: Endpoint) => void sent.push(headers.authorization!);
  const generators = withFilledRequests(
    {
      version: async () => null,
      run: async ({ case: { endpoint: filled } }: GeneratorRunRequest) => send(filled),
      runTogether: async (requests: readonly GeneratorRunRequest[]) =>
        requests.map(({ case: each }) => send(each.endpoint)),
    } as unknown as GeneratorRunner,
    values,
  );
  const probe = withFilledAnswers(
    {
      ask: async (_origin: string, _service: unknown, filled: Endpoint) => send(filled),
      askInTurn: async (_origin: string, _service: unknown, filled: Endpoint) => send(filled),
    } as unknown as HttpProbe,
    values,
  );
  return { values, sent, generators, probe };
}

const request = (origin: string, changes: Partial<Endpoint> = {}): GeneratorRunRequest => ({
  case: { ...written, endpoint: { ...asked, ...changes } },
  ...{ origin, durationSeconds: 1, rate: null, cpus: null },
});

describe('a request to a testbed that was logged in to', () => {
  it('has what that took, whoever sends it, by whichever route', async () => {
    const { sent, generators, probe } = given();
    await generators.run(request(one), never);
    await generators.run(request(`${one}0`), never);
    await probe.ask(one, service, asked, never);
    await probe.askInTurn(one, service, asked, 5, never);
    expect(sent).toEqual(['Bearer of-one', 'Bearer of-one', 'Bearer of-one', 'Bearer of-one']);
  });

  it('has that of its own side, where two are loaded at once', async () => {
    const { values, sent, generators } = given();
    values.set({ origins: { direct: other } }, [{ 'login.token': 'of-other' }]);
    await generators.runTogether([request(other), request(one)], never);
    expect(sent).toEqual(['Bearer of-other', 'Bearer of-one']);
  });

  it('has what was taken last, and is the very same where nothing was', async () => {
    const { values, sent, generators } = given();
    values.set({ origins: { direct: one } }, [{ 'login.token': 'of-another-login' }]);
    await generators.run(request(one), never);
    await generators.run(request(other), never);
    expect(sent).toEqual(['Bearer of-another-login', 'Bearer ${login.token}']);
  });

  it('is not sent where it cannot be filled in, and says why', async () => {
    const { sent, generators, probe } = given();
    const wanting = { path: '/${login.id}' };
    const why =
      'its request cannot be filled in: `${login.id}` has no value: the login takes `${login.token}`. Add it to `take` of a step, or correct the name.';
    await expect(generators.run(request(one, wanting), never)).rejects.toEqual(new GeneratorNotStarted(why));
    expect(await probe.ask(one, service, { ...asked, ...wanting }, never)).toEqual({ kind: 'failed', message: why });
    expect(await probe.askInTurn(one, service, { ...asked, ...wanting }, 5, never)).toMatchObject({ failures: 5 });
    expect(sent).toEqual([]);
  });
});
