import { ForgeFailure } from '../../app/ports/forge.ts';
import type { Client } from './client.ts';
import { forgeFailure } from './failure.ts';

/** How often it is fetched where the connection breaks in the middle of it. */
const ATTEMPTS = 3;

/**
 * The body of an answer, `most` bytes of it at most, read as it comes: its length is not believed. The API redirects to
 * where artifacts lie, which `fetch` follows without sending the token there.
 */
export async function boundedBytes(
  client: Client,
  route: string,
  { parameters, path, most }: { parameters: Record<string, unknown>; path: string; most: number },
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    const body = await answered(client, route, parameters).catch((error: unknown) => {
      throw forgeFailure(error, 'GET', path);
    });
    try {
      return await bytesOf(body, most, path);
    } catch (error) {
      if (error instanceof ForgeFailure) throw error;
      // The client tries again what is not answered; here the answer had begun.
      if (attempt === ATTEMPTS) throw forgeFailure(error, 'GET', path);
    }
  }
}

type Body = ReadableStream<Uint8Array> | ArrayBuffer;

async function answered(client: Client, route: string, parameters: Record<string, unknown>): Promise<Body> {
  const { data } = await client.request(route, { ...parameters, request: { parseSuccessResponseBody: false } });
  return data as Body;
}

async function bytesOf(body: Body, most: number, path: string): Promise<Uint8Array> {
  if (body instanceof ArrayBuffer) return bounded(new Uint8Array(body), most, path);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > most) throw tooLong(path, most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function bounded(bytes: Uint8Array, most: number, path: string): Uint8Array {
  if (bytes.byteLength > most) throw tooLong(path, most);
  return bytes;
}

function tooLong(path: string, most: number): ForgeFailure {
  return new ForgeFailure(`GET ${path} was answered with more than ${most} bytes, and was not read to the end.`, null);
}
