import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { textTemplates } from '../../scripts/text-templates.mjs';
import { temporaryFolder } from './spec-folder.ts';

/** Starts a program of its own, written in TypeScript with imports from the top of the repository, for a test that kills it. */
export async function startedProgram(contents: string): Promise<ChildProcess> {
  const outfile = join(temporaryFolder(), 'program.cjs');
  await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' },
    bundle: true,
    plugins: [textTemplates],
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'silent',
    external: ['pg-native', 'cloudflare:sockets'],
  });
  const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
