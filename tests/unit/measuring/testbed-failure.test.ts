import { expect, it } from 'vitest';
import { testbedFailureReason } from '../../../src/app/measuring/testbed-failure.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const [service] = readSpec(
  'name: api\nservices: {go: {image: a, port: 80, memory: 64m}}\nendpoints: {ping: /ping}\n',
  'wrkbench.yml',
).services;

it('what became of a testbed names the service and its last log lines', () => {
  const error = new TestbedError('out-of-memory', 'The service ran out of memory. Its limit is 64.0 MiB.', [
    'one',
    'two',
  ]);
  expect(testbedFailureReason(service!, error)).toEqual({
    code: 'out-of-memory',
    message: 'go: The service ran out of memory. Its limit is 64.0 MiB.\n    one\n    two',
  });
});

it.each([
  'go was asked for http://127.0.0.1:80/ping for 2 s and answers with status 503.',
  'Service go exited with status 1 before it was ready. It printed nothing.',
])('a sentence that names its service has the name once: %s', (message) => {
  expect(testbedFailureReason(service!, new TestbedError('not-ready', message)).message).toBe(message);
});

it('a log line of megabytes is kept up to 2000 characters', () => {
  const error = new TestbedError('exited', 'The service exited.', ['x'.repeat(5_000_000)]);
  const [, line] = testbedFailureReason(service!, error).message.split('\n');
  expect(line).toBe(`    ${'x'.repeat(1999)}…`);
});
