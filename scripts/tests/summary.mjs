// Reads Vitest's JSON report and prints its counts as the last line that CI shows:
//
//   node scripts/tests/summary.mjs REPORT
//
// Exit status 1 where a test failed, was skipped or is still to be written, where a file could not be loaded, or where
// there is no report.
import { existsSync, readFileSync } from 'node:fs';

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

for (const { name } of broken) process.stdout.write(`could not be loaded: ${name}\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed + skipped > 0 || passed === 0 ? 1 : 0;
