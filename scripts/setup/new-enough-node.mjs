// Imported first by scripts that a person starts: where this Node.js is too old, brings another and starts the script again on it.
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { announce } from './announcement.mjs';
import { ensureNode, isNewEnough, NODE, NODE_FOLDER, OLDEST_NODE } from './node.mjs';

if (!isNewEnough()) {
  const lack = await ensureNode();
  if (lack !== null) {
    announce(
      `this is Node.js ${process.version}, and wrkbench needs ${OLDEST_NODE.join('.')} or later. Install one: ` +
        `https://nodejs.org/en/download (npm has no other for this machine: ${lack})`,
    );
    process.exit(3);
  }
  const env = { ...process.env, PATH: [NODE_FOLDER, process.env.PATH].join(delimiter) };
  // Ctrl-C reaches the other one as well, which says what it leaves.
  process.on('SIGINT', () => {});
  const child = spawn(NODE, process.argv.slice(1), { env, stdio: 'inherit' });
  process.exit(await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1))));
}
