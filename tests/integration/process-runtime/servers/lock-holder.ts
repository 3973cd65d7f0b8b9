/** A program of its own that holds the lock named by its first argument until it is killed. */
import { acquireMachineLock } from '../../../../src/adapters/files/machine-lock.ts';

const signal = new AbortController().signal;
await acquireMachineLock({ name: process.argv[2]!, runId: 'elsewhere' }, () => {}, signal);
process.stdout.write('held\n');
setInterval(() => {}, 1000);
