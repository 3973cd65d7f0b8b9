import path from 'node:path';
import { expect } from 'vitest';
import { IMAGES } from '../../support/images.ts';
import { specFolder } from '../../support/spec-folder.ts';
import { reasonsIn, recordIn, wrkbench } from './command.ts';
import { leftovers } from './leftovers.ts';

export const load = `
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`;

/** A spec with the misbehaving server in a container beside a healthy one, which may have an environment as well. */
export function containers(env: Record<string, string>, more = '', healthy: Record<string, string> = {}): string {
  return `
name: bad-luck
services:
  bad:
    image: ${IMAGES.misbehaving}
    port: 8080
    env: ${JSON.stringify(env)}
    ready: {path: /ping, timeout: 3s}
    ${more}
  good: {image: "${IMAGES.misbehaving}", port: 8080, env: ${JSON.stringify(healthy)}, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
${load}`;
}

export async function runOf(spec: string, files: Record<string, string> = {}, args: string[] = []) {
  const folder = specFolder({ ...files, 'wrkbench.yml': spec });
  const out = path.join(folder, 'out');
  const ended = await wrkbench(['run', '--out', 'out', ...args], { cwd: folder });
  const record = recordIn(out);
  expect(leftovers(record.id, folder)).toEqual([]);
  return { ...ended, record, reasons: reasonsIn(out), out };
}
