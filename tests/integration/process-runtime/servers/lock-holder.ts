/** A program of its own that holds the lock named by its first argument until it is killed, and says whom it waits for before that. */
import { machineLock } from '../../../../src/adapters/files/machine-lock.ts';

const [name = '', runId = 'elsewhere'] = process.argv.slice(2);
const { signal } = new AbortController();
await machineLock(name).acquire(runId, (before) => process.stdout.write(`waiting: ${before}\n`), signal);
process.stdout.write('held\n');
setInterval(() => {}, 1000);
