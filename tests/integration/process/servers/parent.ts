/** A program of its own that puts on stage what its arguments say and stays until it is killed. */
import { processRuntime } from '../../../../src/adapters/process/runtime.ts';
import type { StageRequest } from '../../../../src/app/ports/stage.ts';

const request = JSON.parse(process.argv[2] ?? '{}') as StageRequest;
const stage = await processRuntime().start(request, new AbortController().signal);
process.stdout.write(`${stage.origins.direct}\n`);
setInterval(() => {}, 1000);
