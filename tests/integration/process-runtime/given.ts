import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { linkPrefix } from '../../../src/adapters/process/network-namespace.ts';
import { processIds, programName, readProc } from '../../../src/adapters/process/process-table.ts';
import { folderParents } from '../../../src/adapters/process/testbed-folder.ts';
import { processRuntime } from '../../../src/adapters/process-runtime/runtime.ts';
import { type Testbed, TestbedError, type TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Database, ResolvedSpec, Service } from '../../../src/core/config/resolved.ts';
import { plainDatabase, plainService, plainSpec } from '../../support/testbed-specs.ts';

export const MIB = 1024 * 1024;
export const runtime = processRuntime();

export const serviceWith = (changes: Partial<Service> = {}): Service =>
  plainService({ image: null, command: ['node', 'server.js'] }, { env: { PORT: '${port}' }, ...changes });

export const databaseWith = (changes: Partial<Database> = {}): Database => plainDatabase('postgres:18', changes);

export const specWith = plainSpec;

export function requestFor(spec: ResolvedSpec, changes: Partial<TestbedRequest> = {}): TestbedRequest {
  return {
    runId: 'test-run',
    spec,
    service: spec.services[0]!,
    variant: 'candidate',
    round: 1,
    placement: { service: '0', database: '0', generator: '1' },
    specDirectory: process.cwd(),
    artifact: '',
    ...changes,
  };
}

export const never = (): AbortSignal => new AbortController().signal;

/** A testbed that is stopped when the callback has ended, however it ended. */
export async function running<T>(request: TestbedRequest, use: (testbed: Testbed) => Promise<T>): Promise<T> {
  const testbed = await runtime.start(request, never());
  try {
    return await use(testbed);
  } finally {
    await testbed.stop();
  }
}

/** What `start` rejects with. */
export async function failureOf(request: TestbedRequest): Promise<TestbedError> {
  const outcome = await runtime.start(request, never()).catch((error: unknown) => error);
  if (outcome instanceof TestbedError) return outcome;
  if (typeof outcome === 'object' && outcome !== null && 'stop' in outcome) await (outcome as Testbed).stop();
  throw new Error(`The testbed came up, or something else was thrown: ${outcome}`);
}

/** Status and body of one request on a connection of its own. */
export function ask(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, async (answer) => {
      let body = '';
      for await (const chunk of answer) body += chunk;
      resolve({ status: answer.statusCode ?? 0, body });
    });
    request.on('error', reject);
  });
}

/**
 * Everything that a process has started: its folders, and processes that carry its mark or were started in its folders
 * (Postgres and nginx overwrite their environment), and the links of its networks. Others may use this machine at the same time.
 */
export function remains(owner = process.pid): string[] {
  const owned = (text: string) => text.split(/[:@]/)[2] === String(owner);
  const all = folderParents().flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => name.startsWith('wrkbench-testbed-'))
      .map((name) => `${parent}/${name}`),
  );
  const folders = all.filter((folder) => owned(textOf(`${folder}/owner`)));
  const processes = processIds()
    .filter((pid) => {
      const mark = /(?:^|\0)WRKBENCH_TESTBED=([^\0]*)/.exec(readProc(`/proc/${pid}/environ`) ?? '')?.[1];
      const command = readProc(`/proc/${pid}/cmdline`) ?? '';
      return owned(mark ?? '') || folders.some((folder) => command.includes(folder));
    })
    .map((pid) => `${pid} ${programName(pid) ?? ''}`);
  const links = readdirSync('/sys/class/net').filter((name) => name.startsWith(linkPrefix(owner)));
  return [...folders, ...processes, ...links];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
