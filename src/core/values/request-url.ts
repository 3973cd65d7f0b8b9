/**
 * The URL of a path at an origin (`http://127.0.0.1:8080`), for everybody who asks a server. A path resolved as a link would be
 * may name a host of its own (`//host/`); this one is put behind the origin, and one that changes it all the same throws.
 */
export function requestUrl(origin: string, path: string): string {
  const url = `${origin}${path}`;
  if (!path.startsWith('/') || new URL(url).origin !== new URL(origin).origin) {
    throw new TypeError(`the path ${path} does not stay at ${origin}`);
  }
  return url;
}

/** What no request line may hold is percent-encoded; what a person has encoded stays as it is. */
export function requestTarget(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/gu, (text) =>
    Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}
