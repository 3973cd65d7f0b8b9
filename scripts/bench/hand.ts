import { execFileSync } from 'node:child_process';
import { parseOutput } from '../../src/app/parse.ts';

const IMAGE = 'wrkbench-fixture/misbehaving:latest';

export interface HandLoad {
  seconds: number;
  warmUpSeconds: number;
  threads: number;
  connections: number;
  serverCpus: string;
  generatorCpus: string;
}

/**
 * Requests per second that a person gets who starts the container and calls wrk: against the container's own address,
 * or against the published port of this machine.
 */
export function throughputByHand(load: HandLoad, through: 'container' | 'published'): number {
  const publish = through === 'published' ? ['-p', '127.0.0.1::8080'] : [];
  const id = docker('run', '-d', '--rm', '--cpuset-cpus', load.serverCpus, ...publish, IMAGE);
  try {
    const origin =
      through === 'published'
        ? `http://${docker('port', id, '8080').split('\n')[0]}`
        : `http://${docker('inspect', '-f', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', id)}:8080`;
    execFileSync('curl', ['-sf', '--retry', '20', '--retry-connrefused', '--retry-delay', '1', `${origin}/ping`]);
    wrk(load, origin, load.warmUpSeconds);
    return wrk(load, origin, load.seconds);
  } finally {
    docker('rm', '-f', id);
  }
}

function wrk(load: HandLoad, origin: string, seconds: number): number {
  const output = execFileSync(
    'taskset',
    ['-c', load.generatorCpus, 'wrk', `-t${load.threads}`, `-c${load.connections}`, `-d${seconds}s`, `${origin}/ping`],
    { encoding: 'utf8' },
  );
  return parseOutput('wrk', output).throughput ?? Number.NaN;
}

function docker(...command: string[]): string {
  return execFileSync('docker', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
