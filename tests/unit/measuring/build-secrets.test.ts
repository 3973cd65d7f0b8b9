import { expect, it } from 'vitest';
import { withLogin } from '../../../src/app/measuring/logged-in-runtime.ts';
import { valuesByOrigin } from '../../../src/app/measuring/values-by-origin.ts';
import type { PrepareRequest, TestbedRuntime } from '../../../src/app/ports/testbed.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const spec = readSpec(
  `name: shop
services: {web: {build: {context: ., secrets: {npm: "\${env.NPM}"}}, port: 8080}, plain: {image: a, port: 80}}
dependencies: {mq: {build: {context: mq, secrets: {npm: "\${env.NPM}"}}}}
endpoints: {items: /items}
`,
  'wrkbench.yml',
);

async function prepared(variables: Record<string, string>, own = spec) {
  const requests: PrepareRequest[] = [];
  const inner = {
    async prepare(request: PrepareRequest) {
      requests.push(request);
      return request.services.map(({ name }) => ({ service: name, artifact: 'sha256:a', failure: null }));
    },
  } as unknown as TestbedRuntime;
  const adapters = { variables: { value: (name: string) => variables[name] } };
  const runtime = withLogin(inner, valuesByOrigin(), adapters as unknown as Parameters<typeof withLogin>[2]);
  const request = { runId: 'r', spec: own, services: own.services, specDirectory: '/', onLine: () => {} };
  return { requests, prepared: await runtime.prepare(request, new AbortController().signal) };
}

it('the secrets of builds are filled in while images are built', async () => {
  const { requests, prepared: had } = await prepared({ NPM: 'k3y' });
  const [{ services, spec: given }] = requests as [PrepareRequest];
  expect(services.map(({ name }) => name)).toEqual(['web', 'plain']);
  expect(services[0]!.image).toMatchObject({ secrets: { npm: 'k3y' } });
  expect(given.dependencies![0]!.image).toMatchObject({ secrets: { npm: 'k3y' } });
  expect(had.map(({ failure }) => failure)).toEqual([null, null]);
});

it('nothing is built where the caller lacks one', async () => {
  const { requests, prepared: had } = await prepared({});
  expect(requests).toEqual([]);
  expect(had.map(({ service, failure }) => [service, failure?.code])).toEqual([
    ['web', 'variable-missing'],
    ['plain', 'variable-missing'],
  ]);
  expect(had[0]!.failure!.message).toMatch(
    /^The spec names `\$\{env\.NPM\}` \(services\.web\.build\.secrets\.npm\), and NPM is not set\./,
  );
});

it('a spec without any is prepared as it is', async () => {
  const own = { ...spec, services: spec.services.slice(1), dependencies: [] };
  const { requests } = await prepared({}, own);
  expect(requests[0]!.spec).toBe(own);
});
