// A program built from a module of the Go module proxy, with the versions that its own go.mod and go.sum have.
import { chmodSync, cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureGo } from '../setup/go-programs.mjs';
import { CACHE } from '../setup/machine.mjs';
import { InstallationError } from './installation-error.mjs';
import { applyChange } from './one-line-change.mjs';
import { step } from './step.mjs';

/**
 * Leaves the program in `folder`, and what it reads of its source; that, which modules keep read-only, is copied to be changed and
 * removed again.
 * @param {{application: any, release: string, change: import('./one-line-change.mjs').OneLineChange | null, folder: string}} plan
 */
export async function installGoModule({ application, release, change, folder }) {
  const { name, module, main, program, keeps = [] } = application;
  const go = await ensureGo().catch((error) => {
    throw new InstallationError(`${name} is built with Go, which cannot be had: ${error.message}`);
  });
  const env = environmentFor(go);
  const got = await step(
    `${name} ${release} cannot be downloaded`,
    [go, 'mod', 'download', '-json', `${module}@v${release}`],
    {
      cwd: folder,
      env,
    },
  );
  const source = join(folder, 'source');
  cpSync(JSON.parse(got.slice(got.indexOf('{'))).Dir, source, { recursive: true });
  makeWritable(source);
  if (change !== null) applyChange(source, change);
  const command = [go, 'build', '-trimpath', '-o', join(folder, program), main];
  await step(`${name} ${release} cannot be built`, command, { cwd: source, env });
  for (const each of keeps) renameSync(join(source, each), join(folder, each));
  rmSync(source, { recursive: true, force: true });
}

/** As scripts/setup builds programs: the toolchain that it brought keeps what it downloads to itself. */
function environmentFor(go) {
  const env = { CGO_ENABLED: '0', GOTELEMETRY: 'off', GOTOOLCHAIN: 'auto', GOFLAGS: '' };
  const scratch = join(CACHE, 'applications', 'go');
  if (!go.startsWith(CACHE)) return env;
  return { ...env, GOPATH: scratch, GOCACHE: join(scratch, 'cache'), GOROOT: '', GOFLAGS: '-modcacherw' };
}

function makeWritable(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}
