// Tells what it was given: /env its environment, /limits its limits and CPUs; with a `DAEMON` it leaves one behind.
const { createServer } = require('node:http');
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');

if (process.env.DAEMON === '1') spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref();
createServer((request, response) => {
  if (request.url === '/env') response.end(JSON.stringify(process.env));
  else if (request.url === '/limits')
    response.end(readFileSync('/proc/self/limits', 'utf8') + readFileSync('/proc/self/status', 'utf8'));
  else response.end('{"ok":true}');
}).listen(Number(process.env.PORT), '127.0.0.1');
