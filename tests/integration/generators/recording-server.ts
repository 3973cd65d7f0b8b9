import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came, with its body by bytes. */
interface Recorded {
  method: string;
  target: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface RecordingServer {
  origin: string;
  /** In the order in which they came. */
  recorded: Recorded[];
  close(): Promise<void>;
}

/** An HTTP server on a free port of the loopback that keeps all that it is asked; `status` is that of its answers. */
export async function startRecordingServer(status: (target: string) => number = () => 200): Promise<RecordingServer> {
  const recorded: Recorded[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      recorded.push({ method, target, headers, body: Buffer.concat(chunks) });
      response.writeHead(status(target)).end('ok');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', 1024, listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
