/**
 * What a service is asked in. `h1` is HTTP/1.1 and `https` the same over TLS; `h2` is HTTP/2 that both sides begin with (prior
 * knowledge), without TLS: https://www.rfc-editor.org/rfc/rfc9113#section-3.3. `h2-tls` is HTTP/2 that TLS has agreed on (ALPN).
 */
export const PROTOCOLS = ['h1', 'h2', 'https', 'h2-tls'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export function isProtocol(value: unknown): value is Protocol {
  return (PROTOCOLS as readonly unknown[]).includes(value);
}

export function isOverTls(protocol: Protocol): protocol is 'https' | 'h2-tls' {
  return protocol === 'https' || protocol === 'h2-tls';
}

export function isHttp2(protocol: Protocol): protocol is 'h2' | 'h2-tls' {
  return protocol === 'h2' || protocol === 'h2-tls';
}

/** `http://172.18.0.3:8080`, or `https://…` of a service that is asked over TLS. */
export function originOf(protocol: Protocol, host: string, port: number | null): string {
  return `${isOverTls(protocol) ? 'https' : 'http'}://${host}:${port}`;
}
