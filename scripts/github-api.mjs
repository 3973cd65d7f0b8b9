// node scripts/github-api.mjs: writes what GitHub's own description of its API says of requests to
// fixtures/github-api/operations.json, an operation a line. The package that has the description, with all answers and for
// every version of GitHub Enterprise Server, is 400 MB: far too much to install for each test run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = '@octokit/openapi@23.0.2';
const TARGET = fileURLToPath(new URL('../fixtures/github-api/operations.json', import.meta.url));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Words for readers, of which a schema holds nothing to. */
const PROSE = new Set(['description', 'example', 'examples', 'title', 'summary']);

const folder = mkdtempSync(join(tmpdir(), 'github-api-'));
try {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, PACKAGE], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync('sh', ['-c', 'tar -xzf *.tgz package/generated/api.github.com.deref.json'], { cwd: folder });
  const { paths } = JSON.parse(readFileSync(join(folder, 'package/generated/api.github.com.deref.json'), 'utf8'));
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method] !== undefined).map((method) => {
      const { operationId, parameters, requestBody } = operations[method];
      const request = { method, path, operationId, parameters: bare(parameters), requestBody: bare(requestBody) };
      return JSON.stringify(request);
    }),
  );
  writeFileSync(TARGET, `{"source": ${JSON.stringify(PACKAGE)}, "operations": [\n${lines.join(',\n')}\n]}\n`);
  process.stdout.write(`${lines.length} operations of ${PACKAGE} are in ${TARGET}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A schema, or what holds one, without prose. Below `properties` and `content` every key is a name, and stays. */
function bare(value, isNames = false) {
  if (Array.isArray(value)) return value.map((each) => bare(each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !(PROSE.has(key) || key.startsWith('x-')))
      .map(([key, each]) => [key, bare(each, !isNames && (key === 'properties' || key === 'content'))]),
  );
}
