import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS, type EndpointName, SERVERS } from '../verdict/live/kinds.ts';

/** Where a run on two cores puts its servers and their databases. */
const SERVER_CPU = '0';
const FILES = 'fixtures/servers/rest-node';

/** A server and, where its endpoint asks it, a database of its own. */
export interface Side {
  url: string;
  spent(): Promise<Spent>;
  remove(): void;
}

/** So far, of the threads of the server and of its database. */
interface Spent {
  cpuUs: number;
  /** Times that one of them waited, and was woken. */
  wakeUps: number;
}

/** `name` is of this side alone: its network and its database have it. */
export async function startedSide(
  name: string,
  endpoint: EndpointName,
  environment: Record<string, string>,
): Promise<Side> {
  const containers: string[] = [];
  const run = (...args: string[]) => {
    const id = docker('run', '--detach', '--rm', '--network', name, '--cpuset-cpus', SERVER_CPU, ...args);
    containers.push(id);
    return id;
  };
  const remove = () => {
    if (containers.length > 0) docker('rm', '--force', '--volumes', ...containers);
    docker('network', 'rm', name);
  };
  docker('network', 'create', name);
  try {
    const asksDatabase = ENDPOINTS[endpoint].startsWith('/db/') || endpoint === 'users';
    const database = asksDatabase ? ['--env', `DATABASE_URL=${await startedDatabase(run, name)}`] : [];
    const variables = Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const server = run(...database, ...variables, SERVERS.standard.image);
    const address = docker('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', server);
    const url = `http://${address}:8080${ENDPOINTS[endpoint]}`;
    await until(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return { url, spent: async () => summed(containers.flatMap(threadsOf)), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function startedDatabase(run: (...args: string[]) => string, name: string): Promise<string> {
  const host = `${name}-db`;
  const id = run('--name', host, '--env', 'POSTGRES_HOST_AUTH_METHOD=trust', 'wrkbench-fixture/postgres:15');
  const asked = (...args: string[]) =>
    execFileSync('docker', ['exec', '-i', id, 'psql', '-h', '127.0.0.1', '-U', 'postgres', '-q', ...args], {
      input: ['schema.sql', 'users.sql'].map((file) => readFileSync(`${FILES}/${file}`, 'utf8')).join('\n'),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  await until(async () => {
    try {
      asked('-c', 'SELECT 1');
      return true;
    } catch {
      return false;
    }
  });
  asked('-v', 'ON_ERROR_STOP=1');
  return `postgres://postgres@${host}:5432/postgres`;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isSo()) return;
    await sleep(50);
  }
  throw new Error('A container does not answer.');
}

function threadsOf(container: string): string[] {
  const pids = docker('top', container, '-eo', 'pid').split('\n').slice(1);
  return pids.flatMap((pid) => {
    const folder = `/proc/${pid.trim()}/task`;
    return readdirSync(folder).map((thread) => `${folder}/${thread}`);
  });
}

/** https://docs.kernel.org/scheduler/sched-stats.html: nanoseconds on the CPU first. */
function summed(threads: readonly string[]): Spent {
  return threads.reduce(
    ({ cpuUs, wakeUps }, thread) => ({
      cpuUs: cpuUs + Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000,
      wakeUps:
        wakeUps + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${thread}/status`, 'utf8'))![1]),
    }),
    { cpuUs: 0, wakeUps: 0 },
  );
}

function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8' }).trim();
}
