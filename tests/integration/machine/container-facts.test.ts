import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containerFacts } from '../../../src/adapters/machine/container-facts.ts';

/** A `docker` command that answers as Docker's own does. */
const DOCKER = `#!/bin/sh
case "$*" in
  *"image inspect"*" -- acme/here:1") echo sha256:1 ;;
  *"image inspect"*) echo >&2 "Error: No such image: x"; exit 1 ;;
  "manifest inspect -- acme/offered:1") echo '{}' ;;
  "manifest inspect -- "*) echo >&2 "no such manifest: docker.io/acme/absent:1"; exit 1 ;;
  "buildx version") echo "github.com/docker/buildx v0.23.0 28c90ea" ;;
  *) echo >&2 "docker: unknown command: docker $1"; exit 1 ;;
esac
`;

describe('what the engine has of what containers are made from', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wrkbench-docker-'));
    await writeFile(join(folder, 'docker'), DOCKER, { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true }));
  const facts = () => containerFacts({ PATH: `${folder}:${process.env.PATH}` });

  it('is told by the engine, and by the registry of what is not here', async () => {
    expect(await facts().images(['acme/here:1', 'acme/offered:1', 'acme/absent:1'])).toEqual([
      { reference: 'acme/here:1', state: 'here' },
      { reference: 'acme/offered:1', state: 'offered' },
      { reference: 'acme/absent:1', state: 'refused', said: 'no such manifest: docker.io/acme/absent:1' },
    ]);
  });

  it('has the version of a plugin, and of one that is not there none', async () => {
    expect(await facts().plugin('buildx')).toBe('0.23.0');
    expect(await facts().plugin('compose')).toBeNull();
  });
});
