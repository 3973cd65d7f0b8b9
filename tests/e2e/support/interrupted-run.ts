import path from 'node:path';
import { expect } from 'vitest';
import { IMAGES } from '../../support/images.ts';
import { REST_NODE_SQL_FILES } from '../../support/server-programs.ts';
import { specFolder } from '../../support/spec-folder.ts';
import { recordIn, start } from './command.ts';
import { leftovers } from './leftovers.ts';

/** Of two short cases an endpoint. */
export const load = `
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on, off], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`;

/** A run in containers beside a database, which gets the signal at the moment when it prints this. */
export async function expectInterruptedToLeaveNothing(signal: NodeJS.Signals, moment: RegExp): Promise<void> {
  const folder = specFolder({
    ...REST_NODE_SQL_FILES,
    'wrkbench.yml': `
name: interrupted
services:
  static: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}}
database: {image: "${IMAGES.postgres}", init: [schema.sql, users.sql]}
endpoints: {ping: /ping}
${load}`,
  });
  const running = start(['run', '--out', 'out'], { cwd: folder });
  await running.prints(moment);
  running.process.kill(signal);
  const { status, stderr } = await running.ended;
  expect(status).toBe(130);
  expect(stderr).toContain(`${signal}: taking down what was started.`);
  expect(leftovers(recordIn(path.join(folder, 'out')).id, folder)).toEqual([]);
}
