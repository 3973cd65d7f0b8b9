import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../../src/adapters/process/child-environment.ts';
import { type ProcessGroup, startGroup } from '../../../src/adapters/process/process-group.ts';

export interface Program {
  title: string;
  command: string[];
  env: Record<string, string>;
  directory: string;
  logFolder: string;
}

let count = 0;

/** As the process runtime starts what a spec names. */
export async function startProgram({ title, command, env, directory, logFolder }: Program): Promise<ProcessGroup> {
  count += 1;
  return startGroup({
    title,
    id: `proof-${process.pid}-${count}`,
    command,
    directory,
    env: childEnvironment(env),
    cpus: null,
    openFiles: null,
    memoryBytes: null,
    user: null,
    logFile: join(logFolder, `${count}.log`),
    endSignal: 'SIGTERM',
    graceSeconds: 10,
    orphanSignal: 'KILL',
  });
}

/** Polls until `isReady`; rejects where the program ends or the time is over, with its last lines. */
export async function untilReady(
  group: ProcessGroup,
  isReady: () => Promise<boolean>,
  timeoutSeconds = 180,
): Promise<void> {
  const end = Date.now() + timeoutSeconds * 1000;
  while (!(await isReady())) {
    const over = Date.now() > end;
    if (group.exit() === null && !over) await sleep(50);
    else
      throw new Error(
        `${group.title} ${over ? 'did not become ready' : 'ended before it was ready'}:\n${group.lastLines(30).join('\n')}`,
      );
  }
}

/** Runs a command to its end. Rejects where it fails, with its last lines. */
export async function runToEnd(program: Program): Promise<void> {
  const group = await startProgram(program);
  let exit = group.exit();
  while (exit === null) {
    await sleep(50);
    exit = group.exit();
  }
  const lines = group.lastLines(30);
  await group.stop();
  if (exit.code !== 0)
    throw new Error(`${program.title} ended with status ${exit.code ?? exit.signal}:\n${lines.join('\n')}`);
}
