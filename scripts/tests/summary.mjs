// Reads Vitest's JSON reports and prints each failed test with its message, then the counts as the last line that CI
// shows (a reader of CI often sees the end of its output only):
//
//   node scripts/tests/summary.mjs REPORT...
//
// Exit status 1 where a test failed, was skipped or is still to be written, where a file could not be loaded, or where a
// report is missing or tells of no test.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How much of a failed test's message is shown: enough for what was expected and what came, without the whole stack. */
const MESSAGE_LINES = 12;

const totals = { passed: 0, failed: 0, skipped: 0 };
const empty = [];
for (const path of process.argv.slice(2)) {
  const counts = existsSync(path) ? told(JSON.parse(readFileSync(path, 'utf8'))) : { passed: 0, failed: 1, skipped: 0 };
  for (const name of Object.keys(totals)) totals[name] += counts[name];
  if (counts.passed === 0) empty.push(path);
}
const { passed, failed, skipped } = totals;
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed + skipped > 0 || passed === 0 || empty.length > 0 ? 1 : 0;

function told(report) {
  // A file that cannot be loaded has no tests that could fail: it counts as one.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  for (const { file, title, messages } of failuresOf(report)) {
    process.stdout.write(`failed: ${file}: ${title}\n`);
    for (const line of messages.join('\n').split('\n').slice(0, MESSAGE_LINES)) process.stdout.write(`    ${line}\n`);
  }
  for (const { name } of broken) process.stdout.write(`could not be loaded: ${name}\n`);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function failuresOf(report) {
  return report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({
        file: relative(process.cwd(), file.name),
        title: test.fullName,
        messages: test.failureMessages,
      })),
  );
}
