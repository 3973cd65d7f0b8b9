import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { observedProcesses } from '../../../src/adapters/process/observation.ts';

const never = () => new AbortController().signal;

/** Listens with a backlog of 77 and writes 10 kB every 20 ms to its standard output; the port goes to file 3. */
const program = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 77 }, () =>
    require('node:fs').writeSync(3, String(server.address().port)));
  setInterval(() => require('node:fs').writeSync(1, 'x'.repeat(10_000)), 20);
`;

const started: ChildProcess[] = [];
const folders: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function given(output: 'file' | 'ignore' | 'pipe') {
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
  folders.push(folder);
  const file = join(folder, 'log');
  const log = openSync(file, 'a');
  const stdout = output === 'file' ? log : output;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', stdout, 'ignore', 'pipe'] });
  closeSync(log);
  started.push(child);
  child.stdout?.resume();
  const [port] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data');
  return { file, target: { pids: [child.pid!], port: Number(port), network: null, pipeFile: null } };
}

describe('what the kernel shows of a service', () => {
  it('is its socket, process, CPUs and how much it writes to a file', async () => {
    const { target, file } = await given('file');
    const seen = await observedProcesses(target, 0.3, never());
    const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1];
    expect(seen).toMatchObject({ listeners: 1, backlog: 77, processes: 1, cpus: allowed, unseen: [] });
    expect(seen.outputs).toEqual(['file', 'nowhere']);
    expect(seen.outputBytesPerSecond).toBeGreaterThan(10_000);
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(0);
  });

  it('does not say how much goes where nobody can count it, as into a socket', async () => {
    const piped = await observedProcesses((await given('pipe')).target, 0.3, never());
    expect(piped.outputs).toEqual(['nowhere', 'socket']);
    expect(piped).not.toHaveProperty('outputBytesPerSecond');
    const silent = await observedProcesses((await given('ignore')).target, 0.3, never());
    expect(silent).toMatchObject({ outputs: ['nowhere'], outputBytesPerSecond: 0 });
  });

  it('lacks the backlog, and says why, where there is no ss or no such socket', async () => {
    const { target } = await given('ignore');
    const gone = await observedProcesses({ ...target, port: 1 }, 0.3, never());
    expect(gone.unseen).toEqual(['The listen backlog is not seen: ss shows no socket on port 1.']);
    vi.stubEnv('PATH', '/nowhere');
    const seen = await observedProcesses(target, 0.3, never());
    expect(seen.unseen).toEqual(['The listen backlog is not seen: `ss` is not installed (package iproute2).']);
    expect(seen).not.toHaveProperty('backlog');
  });

  it('of processes that have ended is the reasons alone', async () => {
    const target = { pids: [2 ** 22 + 1], port: 1, network: 2 ** 22 + 1, pipeFile: null };
    const seen = await observedProcesses(target, 0.3, never());
    expect(Object.keys(seen)).toEqual(['unseen']);
    expect(seen.unseen).toHaveLength(2);
  });
});
