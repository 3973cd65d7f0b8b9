import { ForgeFailure } from '../../app/ports/forge.ts';
import type { Client } from './client.ts';
import { forgeFailure } from './failure.ts';

/**
 * The body of an answer, `most` bytes of it at most, read as it comes: its length is not believed. The API redirects to
 * where artifacts lie, which `fetch` follows without sending the token there.
 */
export async function boundedBytes(
  client: Client,
  route: string,
  { parameters, path, most }: { parameters: Record<string, unknown>; path: string; most: number },
): Promise<Uint8Array> {
  try {
    const { data } = await client.request(route, {
      ...parameters,
      request: { parseSuccessResponseBody: false },
    });
    return await bytesOf(data as ReadableStream<Uint8Array> | ArrayBuffer, most, path);
  } catch (error) {
    throw error instanceof ForgeFailure ? error : forgeFailure(error, 'GET', path);
  }
}

async function bytesOf(
  body: ReadableStream<Uint8Array> | ArrayBuffer,
  most: number,
  path: string,
): Promise<Uint8Array> {
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
