// needs: nothing
import { expect, it } from 'vitest';
import { databaseTemplates } from '../../../src/adapters/docker/database-template.ts';
import type { Engine } from '../../../src/adapters/docker/engine.ts';
import { EngineFailure } from '../../../src/adapters/docker/engine-failure.ts';
import type { Database } from '../../../src/core/config/resolved.ts';
import { PUBLISHING_ROUND } from '../../../src/core/measurement/names.ts';
import { databaseWith, never } from './given.ts';

/** What the server is called with that a template of this database is set up by, where a start for the published figures asks for it. */
async function serverOf(database: Database): Promise<string[]> {
  const created: string[][] = [];
  const engine: Engine = {
    async call(args) {
      if (args[1] === 'start') throw new EngineFailure(args, 'It starts nothing here.', '');
      if (args[0] === 'container' && args[1] === 'create') created.push(args);
      return { stdout: args[0] === 'image' ? '["docker-entrypoint.sh"]' : '', all: '' };
    },
  };
  const asked = databaseTemplates(engine).of(
    {
      runId: 'one',
      round: PUBLISHING_ROUND,
      plan: { database, image: 'postgres:18', network: 'inside', cpus: '0', isBrief: false },
      specDirectory: '/work',
      frame: { cgroupParent: '', labels: {}, limits: { openFilesRefused: false, mostOpenFiles: null } },
      preparation: null,
    },
    never(),
  );
  await expect(asked).rejects.toMatchObject({ code: 'start-failed' });
  expect(created).toHaveLength(1);
  return created[0]!;
}

it('is set up without autovacuum, whose workers would leave statistics on one side alone', async () => {
  expect(await serverOf(databaseWith())).toContain('autovacuum=off');
});

it('is set up with the autovacuum that its spec asks for', async () => {
  const server = await serverOf(databaseWith({ settings: { autovacuum_naptime: '5s' } }));
  expect(server).toContain('autovacuum_naptime=5s');
  expect(server).not.toContain('autovacuum=off');
});
