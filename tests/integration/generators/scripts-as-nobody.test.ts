// needs: wrk, k6, linux, root
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { caseOf } from '../../unit/generators/cases.ts';
import { server, servesSlowly, specDirectory, trace } from './given.ts';

const never = new AbortController().signal;
servesSlowly();

const runner = () => createGeneratorRunner({ specDirectory, workDirectory: trace.folder, environment: process.env });
const requestOf = (load: CaseLoad): GeneratorRunRequest => ({
  ...{ case: caseOf(load, { connections: 2 }), origin: server.origin, durationSeconds: 1, rate: null, cpus: null },
});
const written = (name: string, text: string): string => {
  writeFileSync(join(specDirectory, name), text);
  return `./${name}`;
};
const k6 = (text: string): CaseLoad => ({
  ...{ generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 60, timeoutSeconds: 1 },
  script: written('own.js', text),
});
const wrk = (text: string): CaseLoad => ({
  ...{ generator: 'wrk', threads: 1, durationSeconds: 60, timeoutSeconds: 1 },
  script: written('own.lua', text),
});

describe('a script of the user, run as nobody where we are root,', () => {
  it('of k6 reads none of our files', async () => {
    const secret = join(specDirectory, 'token');
    writeFileSync(secret, 's3cret', { mode: 0o600 });
    const environment = `/proc/${process.pid}/environ`;
    for (const file of [secret, environment]) {
      const load = k6(`const text = open('${file}'); export default function () { throw new Error(text); }`);
      const run = await runner().run(requestOf(load), never);
      expect(run.failure).toMatch(
        /^k6 ended with exit status 107 \(the script threw\) and said: .*(?:open|stat) [^ ]+: permission denied/,
      );
    }
    const abort = new AbortController();
    const load = k6('import { sleep } from "k6"; export default function () { sleep(60); }');
    const running = runner().run({ ...requestOf(load), durationSeconds: 60, cpus: '0' }, abort.signal);
    const status = readFileSync(`/proc/${await trace.started('k6')}/status`, 'utf8');
    abort.abort(new Error('seen'));
    await expect(running).rejects.toThrow('seen');
    expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
    expect(status).toMatch(/^Groups:\t *$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^Cpus_allowed_list:\t0$/m);
  });

  it('is handed nothing beside it that it may not read itself', async () => {
    const secret = join(specDirectory, 'token.txt');
    writeFileSync(secret, 's3cret', { mode: 0o600 });
    const load = k6("const text = open('./token.txt'); export default function () { throw new Error(text); }");
    await expect(runner().run(requestOf(load), never)).rejects.toThrow(
      `The k6 script ${specDirectory}/own.js reads ${secret}, which the user that it runs as may not: chmod o+r ${secret}`,
    );
  });

  it('of wrk reads none of our files', async () => {
    const secret = join(specDirectory, 'token');
    writeFileSync(secret, 's3cret', { mode: 0o600 });
    const run = await runner().run(requestOf(wrk(`error(tostring(select(2, io.open("${secret}"))))`)), never);
    expect(run.failure).toMatch(/Permission denied/);
  });

  it('is refused with the folder where nobody else may enter that of its files', async () => {
    chmodSync(trace.folder, 0o700);
    await expect(runner().run(requestOf(k6('export default function () {}')), never)).rejects.toThrow(
      `A script of the spec's own is run as the user nobody, who may not enter ${trace.folder}. Name a folder in TMPDIR that everybody may enter, such as /tmp, or leave the script out.`,
    );
  });
});
