// needs: nothing
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../src/core/config/read.ts';
import { specFolder } from '../support/spec-folder.ts';
import { wrkbench } from './support/command.ts';

const MANIFEST = JSON.stringify({ name: 'shop', scripts: { start: 'node server.js' } });
const server = (start: string) => `
const http = require('node:http');
const app = { get: () => undefined };
app.get('/health', () => undefined);
app.get('/orders', () => undefined);
app.get('/reports', () => undefined);
${start}
`;
const LISTENING = server(`
http
  .createServer((request, response) => {
    response.statusCode = request.url === '/reports' ? 503 : 200;
    response.end('answered');
  })
  .listen(process.env.PORT || 3000);
`);

const tried = async (files: Record<string, string>) => {
  const folder = specFolder({ 'package.json': MANIFEST, ...files });
  const call = await wrkbench(['init', '--try', '--runtime', 'process'], { cwd: folder });
  return { ...call, spec: readFileSync(path.join(folder, 'wrkbench.yml'), 'utf8') };
};

describe('init --try', () => {
  it('leaves a spec as it is whose endpoints answer as expected', async () => {
    const { status, stdout, spec } = await tried({ 'server.js': LISTENING.replace('503', '200') });
    expect(status).toBe(0);
    expect(stdout).toContain('\nshop is up: 3 endpoints answered as expected, 0 did not.\n');
    expect(spec).not.toContain('tried by');
  });

  it('comments out the endpoint that does not answer as expected, with the reason beside it', async () => {
    const { status, stdout, spec } = await tried({ 'server.js': LISTENING });
    expect(status).toBe(1);
    expect(stdout).toContain(
      'shop is up: 2 endpoints answered as expected, 1 did not.\n' +
        '  reports: status: expected 200, got 503 (body: "answered")\n' +
        'wrkbench.yml has the reasons beside what did not answer: correct it there.\n',
    );
    expect(spec).toContain(`
  # tried by init --try: status: expected 200, got 503 (body: "answered")
  # reports:   # server.js
  #   path: /reports
  #   expect: {status: 200}

load:
`);
    expect(readSpec(spec, 'wrkbench.yml').endpoints.map(({ name }) => name)).toEqual(['health', 'orders']);
  });

  it('writes beside a service why it did not come up, and leaves the rest', async () => {
    const { status, stdout, spec } = await tried({
      'server.js': server(`http.get; process.exit(3); app.listen(3000);`),
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/\nService shop exited with status 3 before it was ready\. It printed nothing\.\n/);
    expect(spec).toContain(
      'services:\n' +
        '  # tried by init --try: Service shop exited with status 3 before it was ready. It printed nothing.\n' +
        '  shop:\n',
    );
    expect(readSpec(spec, 'wrkbench.yml').endpoints).toHaveLength(3);
  });
});
