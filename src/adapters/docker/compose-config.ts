import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { ComposeReader } from '../../app/ports/compose-reader.ts';
import type { ComposeSource } from '../../core/detection/compose-source.ts';
import { runCommand } from '../process/command.ts';
import { findProgram } from '../process/programs.ts';

/** Where engines and their users keep what `docker compose` starts. */
const PLUGIN_FOLDERS = [
  '/usr/local/lib/docker/cli-plugins',
  '/usr/local/libexec/docker/cli-plugins',
  '/usr/lib/docker/cli-plugins',
  '/usr/libexec/docker/cli-plugins',
];
const TIMEOUT_SECONDS = 20;
/** With more it was made by a program. */
const MOST_BYTES = 2_000_000;

/** The program behind `docker compose`, which can be started without `docker`; null where this machine has none. */
function composeProgram({ DOCKER_CONFIG, HOME }: NodeJS.ProcessEnv = process.env): string | null {
  const own = path.join(DOCKER_CONFIG || path.join(HOME || homedir(), '.docker'), 'cli-plugins');
  const plugins = [own, ...PLUGIN_FOLDERS].map((folder) => findProgram(path.join(folder, 'docker-compose')));
  return plugins.find((each) => each !== null) ?? findProgram('docker-compose');
}

/** Of the repository in a folder. */
export function composeReader(folder: string, program = composeProgram()): ComposeReader {
  return {
    async read(source) {
      if (program === null) return null;
      const home = await mkdtemp(path.join(tmpdir(), 'wrkbench-compose-')).catch(() => null);
      if (home === null) return null;
      try {
        const root = await realpath(folder);
        const variables = path.join(home, 'variables.env');
        await writeFile(variables, variablesText(source), { mode: 0o600 });
        const without = path.join(home, 'without-variable-files.yml');
        await writeFile(without, withoutVariableFiles(source));
        const { failure, stdout } = await runCommand(program, argumentsFor(root, source, { variables, without }), {
          cwd: root,
          env: environmentIn(home),
          timeoutSeconds: TIMEOUT_SECONDS,
          maxOutputBytes: MOST_BYTES,
        });
        // As it was written: the folder that stands for somebody's home here says nothing to anybody.
        return failure === null ? { file: source.files[0]!, root, json: stdout.replaceAll(home, '~') } : null;
      } catch {
        return null;
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}

/** Files of variables stay unread: one may be of this machine alone, and one that is absent would end everything. */
function argumentsFor(
  root: string,
  { folder, files, withVariableFiles }: ComposeSource,
  { variables, without }: { variables: string; without: string },
): string[] {
  return [
    ...['--env-file', variables, '--project-directory', path.join(root, folder)],
    ...files.flatMap((file) => ['--file', path.join(root, file)]),
    ...(withVariableFiles.length === 0 ? [] : ['--file', without]),
    ...['--profile', '*', 'config', '--format', 'json', '--no-env-resolution', '--no-consistency'],
  ];
}

/** As one more override, in the only form that takes something away. */
function withoutVariableFiles({ withVariableFiles }: ComposeSource): string {
  const services = withVariableFiles.map((key) => `  ${JSON.stringify(key)}: {env_file: !reset []}`);
  return ['services:', ...services, ''].join('\n');
}

/** What it could fill in, and so show, and where it may not look for files. */
function environmentIn(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: '/usr/bin:/bin',
    DOCKER_CONFIG: home,
    COMPOSE_EXPERIMENTAL_GIT_REMOTE: 'false',
    COMPOSE_EXPERIMENTAL_OCI_REMOTE: 'false',
  };
}

function variablesText({ variables }: ComposeSource): string {
  const lines = [...variables].map(([name, value]) =>
    value.includes("'") ? `${name}="${value.replaceAll(/["\\$]/g, '\\$&')}"` : `${name}='${value}'`,
  );
  return `${lines.join('\n')}\n`;
}
