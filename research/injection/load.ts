import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { locateGenerator } from '../../src/adapters/generators/locate.ts';
import type { GeneratorName } from '../../src/core/generators/registry.ts';

/** Where a run on two cores puts its generators. */
const GENERATOR_CPU = '1';

/** Of both sides at the same time: requests that each of two addresses answered, by the generator's own text. */
export interface Load {
  name: string;
  requests(urls: readonly [string, string]): Promise<[number, number]>;
}

export function closedLoop(seconds: number, connections: number): Load {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`];
  return {
    name: `wrk, ${connections} connections`,
    requests: async ([first, second]) => {
      const answered = async (url: string) =>
        number(/^ +(\d+) requests in /m.exec(await said('wrk', [...args, url]))?.[1]);
      return Promise.all([answered(first), answered(second)]);
    },
  };
}

/** `rate` requests/s to each side, all by one k6, at times that are spread as a run spreads them: without it they come in bursts. */
export function fixedRate(seconds: number, rate: number): Load {
  return {
    name: `k6, 50 connections, ${rate}/s to each`,
    requests: async (urls) => {
      const script = `import http from 'k6/http';
import { sleep } from 'k6';
const side = (exec) => ({ executor: 'constant-arrival-rate', rate: ${rate}, duration: '${seconds}s', preAllocatedVUs: 50, maxVUs: 50, exec });
export const options = {
  discardResponseBodies: true,
  scenarios: { first: side('first'), second: side('second') },
  thresholds: { 'http_reqs{scenario:first}': ['count>=0'], 'http_reqs{scenario:second}': ['count>=0'] },
};
const asked = (url) => { sleep(Math.random() * 0.02); http.get(url); };
export const first = () => asked('${urls[0]}');
export const second = () => asked('${urls[1]}');
export const handleSummary = ({ metrics }) => ({
  stdout: ['first', 'second'].map((name) => metrics['http_reqs{scenario:' + name + '}'].values.count).join(' '),
});
`;
      const [first, second] = (await said('k6', ['run', '--quiet', '--no-usage-report', '-'], script))
        .trim()
        .split(' ');
      return [number(first), number(second)];
    },
  };
}

async function said(program: GeneratorName, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('taskset', ['-c', GENERATOR_CPU, located(program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}

function number(text: string | undefined): number {
  const requests = Number(text);
  if (!(requests > 0)) throw new Error('A generator had no request answered.');
  return requests;
}

function located(program: GeneratorName): string {
  const { path, failure } = locateGenerator(program);
  if (path === null) throw new Error(failure);
  return path;
}
