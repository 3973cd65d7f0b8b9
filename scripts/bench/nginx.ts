import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** nginx on one CPU, which answers every path with the same few bytes; stops when called. */
export async function startedNginx(port: number, cpu: string): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-bench-'));
  const config = path.join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  server { listen 127.0.0.1:${port}; location / { default_type application/json; return 200 '{"ok":true}'; } }
}
`,
  );
  const server = spawn('taskset', ['-c', cpu, 'nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', config], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  execFileSync('curl', [
    '-sf',
    '--retry',
    '20',
    '--retry-connrefused',
    '--retry-delay',
    '1',
    `http://127.0.0.1:${port}/`,
  ]);
  return async () => {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}
