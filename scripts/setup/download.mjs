// Files from registries, before anything is installed that could fetch them.
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { rootCertificates } from 'node:tls';

/** Of the machine: a company's proxy may sign with one that Node.js does not bring. */
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

function certificates() {
  return existsSync(CERTIFICATES) ? [...rootCertificates, readFileSync(CERTIFICATES, 'utf8')] : [...rootCertificates];
}

/** @param {string | URL} url @returns {Promise<Buffer>} */
export function download(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, { ca: certificates(), timeout: 30_000 }, (response) => {
      if (response.statusCode === 302 && response.headers.location) {
        response.resume();
        return resolve(download(new URL(response.headers.location, url)));
      }
      if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer within 30 s`)));
    request.on('error', reject);
  });
}
