import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { dockerRuntime } from '../../adapters/docker/runtime.ts';
import { runOptions } from '../../app/run/run.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Runtime, WantedRuntime } from '../../core/doctor/runtime.ts';
import { printError } from '../output.ts';
import { specFile } from './files.ts';
import { measureAndShow } from './run.ts';

/** Spec, SQL and the server as one file; `scripts/build.mjs` puts them beside the bundle. */
const SUITE = path.join(__dirname, 'demo');
/** What a run leaves in its folder. */
const RESULTS = ['run.json', 'report.md', 'report.html', 'journal.jsonl', 'raw'];

export async function demoCommand(options: { out: string; runtime: WantedRuntime }): Promise<number> {
  const folder = path.resolve(options.out);
  await mkdir(folder, { recursive: true });
  await setAside(folder);
  for (const name of await readdir(SUITE)) await copyFile(path.join(SUITE, name), path.join(folder, name));
  const file = path.join(folder, 'wrkbench.yml');
  const { spec } = await specFile(file);
  const runtime = options.runtime === 'auto' ? await possibleRuntime(spec, folder) : options.runtime;
  return measureAndShow(runOptions(spec, file, { runtime }), options.out, false);
}

/** The results of an earlier demo move to `earlier/TIME`: a second demo loses nothing of the first. */
async function setAside(folder: string): Promise<void> {
  const record = await stat(path.join(folder, 'journal.jsonl')).catch(() => null);
  if (record === null) return;
  const aside = path.join(folder, 'earlier', record.mtime.toISOString().slice(0, 19).replaceAll(':', '-'));
  await mkdir(aside, { recursive: true });
  for (const name of RESULTS) {
    await rename(path.join(folder, name), path.join(aside, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** A demo is not worth a longer wait for images; a machine without a way to a registry shows it at once. */
const IMAGES_SECONDS = 90;

/** Containers where an engine answers and the demo's images can be had, else processes. */
async function possibleRuntime(spec: ResolvedSpec, folder: string): Promise<Runtime> {
  const runtime = dockerRuntime({ environment: process.env });
  const engine = await runtime.version().catch(() => null);
  if (engine === null) return 'process';
  printError(`Docker ${engine} answers; getting the demo's images (${IMAGES_SECONDS} s at most)\n`);
  const signal = AbortSignal.timeout(IMAGES_SECONDS * 1000);
  const request = { runId: 'demo', spec, services: spec.services, specDirectory: folder, onLine: () => undefined };
  const prepared = await runtime.prepare(request, signal).catch(() => null);
  const failure = prepared?.find((service) => service.failure !== null)?.failure;
  if (prepared !== null && failure === undefined) return 'docker';
  printError(`${failure?.message ?? 'The images did not come in time.'}\nThe demo continues without containers.\n`);
  return 'process';
}
