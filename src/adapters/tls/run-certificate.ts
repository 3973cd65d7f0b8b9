import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import type { Service } from '../../core/config/resolved.ts';
import type { Certificate } from '../../core/topology/certificate.ts';
import { isOverTls } from '../../core/values/protocol.ts';

let made: Promise<Certificate> | null = null;
let privateKey: string | null = null;

/** The one of this process, which is that of the run: both sides show the same, so that their handshakes cost the same. */
export function runCertificate(): Promise<Certificate> {
  made ??= newOne();
  return made;
}

async function newOne(): Promise<Certificate> {
  // Few services are asked over TLS, and what makes a certificate takes long to load.
  const { newCertificate } = await import('./certificate.ts');
  const certificate = await newCertificate();
  privateKey = certificate.key;
  return certificate;
}

/** What a service is started with that is asked over TLS, and nothing of another. */
export async function certificateFor({ protocol }: Pick<Service, 'protocol'>): Promise<{ certificate?: Certificate }> {
  return isOverTls(protocol) ? { certificate: await runCertificate() } : {};
}

/** The private key as a service may print it, without the lines around it; none where no certificate was wanted. */
export function runSecrets(): string[] {
  if (privateKey === null) return [];
  const lines = privateKey.split('\n').filter((line) => line !== '' && !line.startsWith('-'));
  return [...lines, lines.join('')];
}

/** How a connection is opened that takes this run's certificate and no other. */
export type Trust = Pick<ConnectionOptions, 'ca' | 'checkServerIdentity'>;

export async function runTrust(): Promise<Trust> {
  const { certificate } = await runCertificate();
  // A container has an address that nobody knows when the certificate is made.
  return { ca: certificate, checkServerIdentity: (_, shown) => checkServerIdentity('localhost', shown) };
}
