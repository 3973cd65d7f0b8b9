import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** A job as a runner makes it up: its files, its variables, and what a step leaves in them. */
export interface Job {
  outputs(): Record<string, string>;
  summary(): string;
  /** Variables for a step with these inputs. */
  environment(inputs: Record<string, string>): NodeJS.ProcessEnv;
  /** Variables in which a runner gives the step after the job what the step remembered. */
  state(): Record<string, string>;
  /** `node`: what it is run by; that of this process where none is named. */
  step(script: 'action' | 'post', inputs?: Record<string, string>, node?: string): Step;
}

interface Step {
  process: ChildProcess;
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null; log: string }>;
  /** Resolves when its log so far fits. */
  logs(pattern: RegExp): Promise<void>;
}

export function job(workspace: string, event: object, variables: Record<string, string> = {}): Job {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-job-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text = '') => {
    const at = path.join(folder, name);
    if (!existsSync(at)) writeFileSync(at, text);
    return at;
  };
  const eventFile = file('event.json', JSON.stringify(event));
  const environment = (inputs: Record<string, string>): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_OUTPUT: file('output'),
    GITHUB_STATE: file('state'),
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_REPOSITORY: 'acme/api',
    GITHUB_SERVER_URL: 'https://ghe.acme.com',
    GITHUB_RUN_ID: '7301',
    GITHUB_RUN_ATTEMPT: '1',
    RUNNER_TEMP: folder,
    ...variables,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  });
  const own: Job = {
    environment,
    outputs: () => valuesIn(readFileSync(file('output'), 'utf8')),
    state: () => stateIn(readFileSync(file('state'), 'utf8')),
    summary: () => readFileSync(file('summary'), 'utf8'),
    step: (script, inputs = {}, node = process.execPath) => {
      const state = script === 'post' ? own.state() : {};
      const call = [node, path.join(DIST, `${script}.cjs`)] as const;
      return stepOf(call, workspace, { ...environment(inputs), ...state });
    },
  };
  return own;
}

function stepOf([node, script]: readonly [string, string], cwd: string, env: NodeJS.ProcessEnv): Step {
  const child = spawn(node, [script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const waiting: { pattern: RegExp; resolve(): void }[] = [];
  const heard = (chunk: Buffer) => {
    log += chunk;
    for (const { pattern, resolve } of waiting) if (pattern.test(log)) resolve();
  };
  child.stdout.on('data', heard);
  child.stderr.on('data', heard);
  child.on('error', (error) => heard(Buffer.from(error.message)));
  return {
    process: child,
    ended: new Promise((resolve) => child.on('close', (status, signal) => resolve({ status, signal, log }))),
    logs: (pattern) =>
      new Promise((resolve, reject) => {
        if (pattern.test(log)) resolve();
        waiting.push({ pattern, resolve });
        child.on('close', () => reject(new Error(`never logged ${pattern}:\n${log}`)));
      }),
  };
}

function stateIn(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(valuesIn(text)).map(([name, value]) => [`STATE_${name}`, value]));
}

/** `name<<MARK`, lines, `MARK`. https://docs.github.com/actions/reference/workflow-commands#multiline-strings */
function valuesIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name, , value] of text.matchAll(/^([^\n]+?)<<(\S+)\n([\s\S]*?)\n?\2$/gm)) outputs[name!] = value!;
  return outputs;
}
