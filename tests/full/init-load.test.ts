// needs: wrk
// seconds: 9
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../src/core/config/read.ts';
import { wrkbench } from '../e2e/support/command.ts';
import { specFolder } from '../support/spec-folder.ts';

const MANIFEST = JSON.stringify({ name: 'shop', scripts: { start: 'node server.js' } });
/** Reports are made one after the other, 100 ms each. */
const SERVER = `
const http = require('node:http');
const app = { get: () => undefined };
app.get('/orders', () => undefined);
app.get('/report', () => undefined);
let last = Promise.resolve();
http
  .createServer((request, response) => {
    if (request.url === '/orders') return response.end('answered');
    if (request.url !== '/report') return response.writeHead(404).end();
    last = last.then(() => new Promise((passed) => setTimeout(passed, 100))).then(() => response.end('answered'));
  })
  .listen(process.env.PORT || 3000);
`;

describe('the load that init writes', () => {
  it('fits the endpoint that answers least, and says what was measured', async () => {
    const cwd = specFolder({ 'package.json': MANIFEST, 'server.js': SERVER });
    expect((await wrkbench(['init', '--runtime', 'process'], { cwd })).status).toBe(0);
    const text = readFileSync(path.join(cwd, 'wrkbench.yml'), 'utf8');
    expect(text).toMatch(/\n {2}# measured: \/report [\d.]+\/s, \/orders [\d,.]+\/s, on \d+ CPUs?\n/);
    const { wrk, k6 } = readSpec(text, 'wrkbench.yml').load;
    expect(wrk).toMatchObject({ threads: 1, keepAlive: [true], timeoutSeconds: 5 });
    // 10/s at most, and an eighth of 5 s.
    expect(Math.max(...wrk!.connections)).toBeLessThanOrEqual(4);
    expect(k6).toBeNull();
    const plan = await wrkbench(['plan'], { cwd });
    expect([plan.status, plan.stderr]).toEqual([0, '']);
  });
});
