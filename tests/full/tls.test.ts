// needs: engine, wrk, k6, ab, h2load, linux
// seconds: 40
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCertificate } from '../../src/adapters/tls/run-certificate.ts';
import { reasonsIn, recordIn, wrkbench } from '../e2e/support/command.ts';
import { leftovers } from '../e2e/support/leftovers.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder } from '../support/spec-folder.ts';

const SERVER = readFileSync('fixtures/servers/tls/server.cjs', 'utf8');
/** Each answer costs so much that the service is busier than whatever loads it. */
const spec = (protocol: string, load: string) => `
name: secure
services:
  node:
    image: ${IMAGES.node}
    command: [node, /srv/server.cjs, ${protocol}]
    files: {server.cjs: /srv/server.cjs}
    port: 8443
    protocol: ${protocol}
    env: {PORT: "\${port}", CERTIFICATE: "\${tls.certificate}", KEY: "\${tls.key}", BURN_US: "1000"}
endpoints:
  ping: {path: /ping, expect: {body: pong}}
load:
${load}
  warm-up: 500ms
  cool-down: 100ms
`;

/** Every file of a run, raw outputs among them. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('wrkbench run of a service that is asked over TLS', () => {
  it.each([
    [
      'https',
      'TLS, in HTTP/1.1',
      `  wrk: {threads: 1, connections: [8], keep-alive: [on, off], duration: 1s}
  k6: {rate: 100/s, connections: [20], keep-alive: [on, off], duration: 1s}
  ab: {requests: 200, connections: [4], keep-alive: off}
  h2load: {rate: 100/s, connections: [8], duration: 1s}`,
      [
        'ab/keep-alive-off/4',
        'h2load/keep-alive/8@100ps',
        'k6/keep-alive-off/20@100ps',
        'k6/keep-alive/20@100ps',
        'wrk/keep-alive-off/8',
        'wrk/keep-alive/8',
      ],
    ],
    [
      'h2-tls',
      'TLS, in HTTP/2',
      `  k6: {rate: 100/s, connections: [20], keep-alive: [on, off], duration: 1s}
  h2load: {rate: 30%, connections: [8], streams: 4, duration: 1s}`,
      ['h2load/keep-alive/8@30%', 'k6/keep-alive-off/20@100ps', 'k6/keep-alive/20@100ps'],
    ],
  ])('measures %s by every generator that speaks it, and keeps no key', async (protocol, words, load, cases) => {
    const folder = specFolder({ 'server.cjs': SERVER, 'wrkbench.yml': spec(protocol, load) });
    const out = path.join(folder, 'out');
    const { status, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'docker'], { cwd: folder });
    expect(reasonsIn(out), stderr).toEqual(Object.fromEntries(cases.map((each) => [`node/ping/direct/${each}`, []])));
    const record = recordIn(out);
    for (const each of record.cases) {
      expect(each.metrics['cpu-per-request']?.value, each.key).toBeGreaterThan(1000);
      expect(each.metrics['bytes-per-response']?.value, each.key).toBeGreaterThan(0);
    }
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toContain(`Asked over ${words}: node.`);
    expect(record.spec.services[0]!.env.KEY).toBe('${tls.key}');
    // How a key of that kind begins, whoever made it.
    const beginning = (await runCertificate()).key.split('\n')[1]!.slice(0, 30);
    const telling = filesOf(out).filter((file) => readFileSync(file, 'utf8').includes(beginning));
    expect(telling).toEqual([]);
    expect(leftovers(record.id, folder)).toEqual([]);
    expect(status).toBe(0);
  });
});
