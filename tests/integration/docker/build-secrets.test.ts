import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../../src/adapters/docker/engine.ts';
import { buildImage } from '../../../src/adapters/docker/images.ts';
import { IMAGES } from '../../support/images.ts';
import { buildFixtureImages, docker, never } from './given.ts';

const SECRET = 'of-the-caller-alone';
let folder = '';

beforeAll(() => {
  buildFixtureImages('node');
  folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
  writeFileSync(
    join(folder, 'Dockerfile'),
    `FROM ${IMAGES.node}\nRUN --mount=type=secret,id=npm wc -c < /run/secrets/npm > /length\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const build = {
  kind: 'build',
  context: '.',
  dockerfile: 'Dockerfile',
  target: null,
  args: {},
  secrets: { npm: SECRET },
} as const;
const built = (engine: Engine) =>
  buildImage(
    engine,
    build,
    { tag: 'wrkbench-build/secrets:latest', whose: 'service api', specDirectory: folder, cacheNamespace: null },
    () => {},
    never(),
  );

it('a build has its secrets where the engine can hand them on, and is refused elsewhere', async () => {
  const hasBuildx = (() => {
    try {
      execFileSync('docker', ['buildx', 'version'], { stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  })();
  const outcome = await built(createEngine(process.env)).then(
    ({ id }) => docker('run', '--rm', '--network', 'none', id, 'cat', '/length').trim(),
    (error: Error) => error.message,
  );
  expect(outcome).toBe(
    hasBuildx
      ? String(SECRET.length)
      : 'The image of service api is not built: only BuildKit hands on the secrets of its build, and this docker command has no buildx. ' +
          "Install it (Debian and Ubuntu: docker-buildx, Docker's own packages: docker-buildx-plugin).",
  );
});

it('a secret is named to the command and never an argument of it', async () => {
  const calls: { args: string[]; env: Record<string, string> }[] = [];
  const engine: Engine = {
    async call(args, { env = {} } = {}) {
      calls.push({ args, env });
      return { stdout: '', all: '' };
    },
  };
  // Nobody has written the id of the image that was not built.
  await expect(built(engine)).rejects.toThrow();
  const { args, env } = calls.find((call) => call.args.includes('--iidfile'))!;
  expect(args.join(' ')).toContain('--secret id=npm,env=WRKBENCH_BUILD_SECRET_0');
  expect(env.WRKBENCH_BUILD_SECRET_0).toBe(SECRET);
  expect(calls.flatMap((call) => call.args).join(' ')).not.toContain(SECRET);
});
