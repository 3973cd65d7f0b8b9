import { readFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { readSpec } from '../../../src/core/config/read.ts';
import { requestFor, running } from '../process-runtime/given.ts';
import type { Asked } from './contracts.ts';

/** Folder of a suite below the project. */
const folderOf = (suite: string): string => `fixtures/suites/${suite}`;

/** Starts a service of a suite's spec by its command, with the database that the spec has, and stops it afterwards. */
export async function withService<T>(suite: string, name: string, use: (origin: string) => Promise<T>): Promise<T> {
  const spec = readSpec(readFileSync(`${folderOf(suite)}/wrkbench.yml`, 'utf8'), 'wrkbench.yml');
  const service = spec.services.find((service) => service.name === name);
  if (service === undefined) throw new Error(`${suite} has no service ${name}`);
  // What it answers does not depend on how fast, and only root may limit it.
  const { cpus: _, ...unlimited } = service;
  const own = { ...spec, services: [unlimited], gateway: null };
  const specDirectory = resolve(folderOf(suite));
  return running(requestFor(own, { specDirectory }), (testbed) => use(testbed.origins.direct!));
}

export interface Answer {
  status: number;
  type: string;
  body: string;
  /** The next request went over the same connection. */
  keptOpen: boolean;
}

/** The first of two requests over an agent that keeps its connections. */
export async function ask(origin: string, asked: Asked): Promise<Answer> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const first = await request(origin, asked, agent);
    const { reused } = await request(origin, asked, agent);
    return { ...first.answer, keptOpen: reused };
  } finally {
    agent.destroy();
  }
}

function request(origin: string, asked: Asked, agent: http.Agent) {
  return new Promise<{ answer: Omit<Answer, 'keptOpen'>; reused: boolean }>((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body = '' } = asked;
    const sent = http.request(`${origin}${path}`, { agent, method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const answer = {
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        body: Buffer.concat(chunks).toString(),
      };
      // The agent takes a connection back, or not, only after this.
      setImmediate(() => resolve({ answer, reused: sent.reusedSocket }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Everything that comes back for a request until the server closes the connection; the head first. */
export function rawAnswer(
  origin: string,
  { method = 'GET', path, headers = {}, body = '' }: Asked,
  version: '1.0' | '1.1',
) {
  const { hostname, port } = new URL(origin);
  const own = { host: `${hostname}:${port}`, ...(version === '1.1' ? { connection: 'close' } : {}), ...headers };
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...own, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise<{ head: string; body: string; bytes: number }>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.setTimeout(20_000, () => socket.destroy(new Error(`${path} left the connection open`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const whole = Buffer.concat(chunks);
      const end = whole.indexOf('\r\n\r\n');
      resolve({
        head: whole.subarray(0, end).toString(),
        body: whole.subarray(end + 4).toString(),
        bytes: whole.length,
      });
    });
    socket.write(`${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n${body}`);
  });
}
