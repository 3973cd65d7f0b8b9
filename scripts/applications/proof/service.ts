import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/adapters/process/tcp-ports.ts';
import { runToEnd, startProgram, untilReady } from './programs.ts';
import { filled, filledEach, type Values, type WrittenSpec } from './written-spec.ts';

export interface RunningService {
  origin: string;
  stop(): Promise<void>;
  lastLines(count: number): string[];
}

/** The one service of a fixture's spec, which is started anew for each step that needs it. */
export interface ServiceUnderProof {
  start(values: Values): Promise<RunningService>;
  job(command: string[], env: Record<string, string> | undefined, values: Values): Promise<void>;
}

export function serviceOf(spec: WrittenSpec, directory: string, logFolder: string): ServiceUnderProof {
  const [[name, service] = []] = Object.entries(spec.services);
  if (name === undefined || service === undefined) throw new Error('The spec has no service.');
  const readyPath = typeof service.ready === 'string' ? service.ready : service.ready.path;
  const ownValues = async () => {
    const ports: Values = {};
    for (const each of Object.keys(service.ports ?? {})) ports[`ports.${each}`] = String(await freePort());
    const folder = mkdtempSync(join(logFolder, 'own-'));
    return { ...ports, port: String(await freePort()), folder, service: name, cpus: '1' };
  };
  return {
    async start(values) {
      const own = { ...values, ...(await ownValues()) };
      const { port } = own;
      const origin = `http://127.0.0.1:${port}`;
      const command = service.command.map((word) => filled(word, own));
      const env = { PORT: port, ...filledEach(service.env, own) };
      const group = await startProgram({ title: `Service ${name}`, command, env, directory, logFolder });
      await untilReady(group, () => answers(`${origin}${readyPath}`)).catch(async (error) => {
        await group.stop();
        throw error;
      });
      return { origin, stop: () => group.stop(), lastLines: (count) => group.lastLines(count) };
    },
    async job(command, env, values) {
      const own = { ...values, ...(await ownValues()) };
      const words = command.map((word) => filled(word, own));
      const all = { ...filledEach(service.env, own), ...filledEach(env, own) };
      await runToEnd({ title: `The job ${words.join(' ')}`, command: words, env: all, directory, logFolder });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) }).catch(() => null);
  return answer !== null && answer.status < 400;
}
