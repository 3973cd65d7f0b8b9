// needs: engine, linux, root
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Service } from '../../../src/core/config/resolved.ts';
import { buildFixtureImages, never, newRunId, requestFor, serviceWith, specWith, thingsOf } from './given.ts';
import { ELSEWHERE, startOutside } from './outside.ts';

const runtime = dockerRuntime({ environment: process.env });
let outside: { stop(): void };

beforeAll(async () => {
  buildFixtureImages('node');
  outside = await startOutside();
});
afterAll(() => outside?.stop());

/** Asks before it does anything else, and listens when it has an answer or none. */
const asking = (address: string, changes: Partial<Service> = {}) =>
  serviceWith({
    image: { kind: 'image', reference: 'wrkbench-fixture/node:latest' },
    command: [
      'node',
      '-e',
      `const http = require('http');
       const listen = (said) => {
         console.log(said);
         http.createServer((_, answer) => answer.end('here')).listen(8080);
       };
       http.get('http://${address}/', { timeout: 2000 }, (answer) => answer.resume().on('end', () => listen('reached')))
         .on('timeout', function () { this.destroy(new Error('no answer')); })
         .on('error', () => listen('not reached'));`,
    ],
    ...changes,
  });

/** What a service says, once it answers us. */
async function saidBy(service: Service): Promise<string[]> {
  const runId = newRunId();
  const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
  try {
    expect(await (await fetch(`${testbed.origins.direct}/ping`)).text()).toBe('here');
    return await testbed.logLines('service', 5);
  } finally {
    await testbed.stop();
    expect(thingsOf(runId)).toEqual([]);
  }
}

describe('the network of a service', () => {
  it('reaches what the machine reaches, where nothing else is said', async () => {
    expect(await saidBy(asking(ELSEWHERE))).toEqual(['reached']);
  });

  it('has no way out where it is internal, and is reached itself', async () => {
    expect(await saidBy(asking(ELSEWHERE, { network: 'internal' }))).toEqual(['not reached']);
  });
});
