/** A program of its own that starts what its arguments say and stays until it is killed. */
import { processRuntime } from '../../../../src/adapters/process-runtime/runtime.ts';
import type { TestbedRequest } from '../../../../src/app/ports/testbed.ts';

const request = JSON.parse(process.argv[2] ?? '{}') as TestbedRequest;
const testbed = await processRuntime().start(request, new AbortController().signal);
process.stdout.write(`${testbed.origins.direct}\n`);
setInterval(() => {}, 1000);
