import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire. */
interface Received {
  method: string;
  target: string;
  httpVersion: string;
  headers: [string, string][];
  body: Buffer;
}

export interface CountingServer {
  origin: string;
  requests: number;
  connections: number;
  statuses: Record<number, number>;
  /** The first of all. */
  first: Received | null;
  close(): Promise<void>;
}

export type Answering = (response: ServerResponse, request: IncomingMessage, number: number) => void;

const greeting: Answering = (response) => response.end('{"ok":true}');

/** An HTTP server on a free port of the loopback that counts what the generators are asked to count. */
export async function startCountingServer(answer: Answering = greeting): Promise<CountingServer> {
  const server = createServer((request, response) => {
    counting.requests += 1;
    const number = counting.requests;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      counting.first ??= {
        method: request.method ?? '',
        target: request.url ?? '',
        httpVersion: request.httpVersion,
        headers: pairs(request.rawHeaders),
        body: Buffer.concat(chunks),
      };
      response.on('finish', () => {
        counting.statuses[response.statusCode] = (counting.statuses[response.statusCode] ?? 0) + 1;
      });
      answer(response, request, number);
    });
  });
  server.on('connection', () => {
    counting.connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', 1024, listening));
  const counting: CountingServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    connections: 0,
    statuses: {},
    first: null,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return counting;
}

function pairs(raw: string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);
}
