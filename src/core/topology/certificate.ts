import type { PlaceholderValues } from '../config/placeholders.ts';

/** What a service shows who asks it over TLS, in PEM. */
export interface Certificate {
  certificate: string;
  /** Its private key. */
  key: string;
}

/** As files in a folder that the service sees, and as the placeholders that name them. */
export function certificateFiles(
  { certificate, key }: Certificate,
  folder: string,
): { files: Record<string, string>; placeholders: PlaceholderValues } {
  const [certificatePath, keyPath] = [`${folder}/tls-certificate.pem`, `${folder}/tls-key.pem`];
  return {
    files: { [certificatePath]: certificate, [keyPath]: key },
    placeholders: { 'tls.certificate': certificatePath, 'tls.key': keyPath },
  };
}
