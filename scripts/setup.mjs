// Brings this machine to where the demo or the tests can run, and does nothing twice:
//
//   node scripts/setup.mjs [demo|test]
//
// What could not be had is listed at the end, each with what it costs and the command; the exit status is then 3.
import './setup/new-enough-node.mjs';
import { fileURLToPath } from 'node:url';
import { announce, announceFailure } from './setup/announcement.mjs';
import { limitedMachine, unsupportedMachine } from './setup/machine.mjs';
import { sentenceOf, setUp } from './setup/profile.mjs';

const profile = process.argv[2] ?? 'test';
const root = fileURLToPath(new URL('..', import.meta.url));

const refusal = unsupportedMachine();
if (refusal !== null || !['demo', 'test'].includes(profile)) {
  announce(refusal ?? `there is no profile ${profile}: use demo or test`);
  process.exit(refusal === null ? 2 : 3);
}

const limits = limitedMachine();
if (limits !== null) announce(limits);

try {
  const lacks = await setUp(profile, root);
  for (const lack of lacks) announce(sentenceOf(lack));
  if (lacks.length > 0) process.exitCode = 3;
} catch (error) {
  announceFailure(error);
  process.exitCode = 3;
}
