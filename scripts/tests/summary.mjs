// Reads Vitest's JSON report and prints each failed test with its message, then the counts as the last line that CI
// shows (a reader of CI often sees the end of its output only):
//
//   node scripts/tests/summary.mjs REPORT
//
// Exit status 1 where a test failed, was skipped or is still to be written, where a file could not be loaded, or where
// there is no report.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const path = process.argv[2] ?? '';
if (!existsSync(path)) {
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
}
const report = JSON.parse(readFileSync(path, 'utf8'));
// A file that cannot be loaded has no tests that could fail: it counts as one.
const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
const passed = report.numPassedTests;
const failed = report.numFailedTests + broken.length;
const skipped = report.numPendingTests + report.numTodoTests;

/** How much of a failed test's message is shown: enough for what was expected and what came, without the whole stack. */
const MESSAGE_LINES = 12;

const failures = report.testResults.flatMap((file) =>
  file.assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({
      file: relative(process.cwd(), file.name),
      title: test.fullName,
      messages: test.failureMessages,
    })),
);
for (const { file, title, messages } of failures) {
  process.stdout.write(`failed: ${file}: ${title}\n`);
  for (const line of messages.join('\n').split('\n').slice(0, MESSAGE_LINES)) process.stdout.write(`    ${line}\n`);
}
for (const { name } of broken) process.stdout.write(`could not be loaded: ${name}\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed + skipped > 0 || passed === 0 ? 1 : 0;
