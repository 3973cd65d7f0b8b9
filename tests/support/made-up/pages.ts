import type { Manifest } from '../../../src/core/publication/manifest.ts';
import { startPages } from '../../../src/core/publication/pages-build.ts';
import { emptyManifest, jsonText } from '../../../src/core/publication/pages-files.ts';
import type { RunRow, SeriesPoint } from '../../../src/core/publication/series-rows.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from './samples.ts';

export interface MadeUpPages {
  runs: number;
  /** Endpoints of the service; each is a case of it, and one of the reference. */
  endpoints?: readonly string[];
  services?: readonly string[];
  seed?: number;
  /** Hours from one run to the next. */
  everyHours?: number;
  release?: (index: number) => string | null;
  /** A change that the run brought and a duet found, by the run's place. */
  steps?: Readonly<Record<number, number>>;
  manifest?: Partial<Manifest>;
}

const METRICS = [
  { name: 'throughput', title: 'Throughput', unit: 'req/s', better: 'higher', level: 41_000 },
  { name: 'latency-p99', title: 'Latency, p99', unit: 'ms', better: 'lower', level: 9.6 },
  { name: 'cpu-per-request', title: 'CPU per request, service and database', unit: 'us', better: 'lower', level: 24.2 },
  { name: 'memory-peak', title: 'Memory, peak', unit: 'bytes', better: 'lower', level: 33_554_432 },
] as const;

const CPUS = [
  { name: 'AMD EPYC 7763 64-Core Processor (4 CPUs)', speed: 1 },
  { name: 'Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz (4 CPUs)', speed: 0.8 },
] as const;

const START = Date.UTC(2026, 6, 1, 9, 15);

/**
 * Files of a spec's folder: runs on a machine whose speed wanders, a third of them from the middle on with another CPU model; a step of
 * 9 % more CPU that was found and accepted, some invalid and generator-bound figures, a hidden run, releases.
 */
export function madeUpPages(made: MadeUpPages): Map<string, string> {
  const { runs, endpoints = ['ping', 'db-ping'], services = ['go'], seed = 1, everyHours = 11, manifest: more } = made;
  const random = seededRandom(seed);
  const named = [...services, 'nginx'];
  const cases = endpoints.flatMap((endpoint) =>
    named.map((service) => ({
      key: `${service}/${endpoint}/direct/wrk/on/100`,
      service,
      endpoint,
      load: { route: 'direct' as const, generator: 'wrk' as const, keepAlive: true, connections: 100, rate: null },
      reference: service === 'nginx',
    })),
  );
  const facts = { specName: 'rest-api', tool: '0.1.0', server: 'https://github.com', repository: 'acme/api' };
  const metrics = METRICS.map(({ level: _, ...metric }) => metric);
  const start: Manifest = { ...emptyManifest(facts), cases, metrics };
  const build = startPages(start);
  const steps = made.steps ?? { [Math.floor(runs * 0.6)]: 0.09, [Math.floor(runs * 0.8)]: -0.05 };
  let cost = 1;
  let last = '';
  for (let index = 0; index < runs; index += 1) {
    const step = steps[index] ?? 0;
    cost *= 1 + step;
    const cpu = CPUS[index > runs * 0.35 && index < runs * 0.7 ? 1 : 0];
    const weather = 1 + 0.03 * normal(random);
    const points = new Map<string, SeriesPoint>();
    for (const [place, { service }] of cases.entries()) {
      for (const [at, metric] of METRICS.entries()) {
        const own = service === 'nginx' ? 0.5 : cost * (1 + 0.15 * named.indexOf(service));
        const moved = metric.unit === 'bytes' ? own : own / (cpu.speed * weather);
        const value =
          (metric.better === 'higher' ? metric.level / moved : metric.level * moved) * (1 + 0.006 * normal(random));
        const isOdd = service !== 'nginx' && place === 0;
        const isBad = isOdd && index % 37 === 20;
        points.set(`${place}.${at}`, {
          value: isBad ? value * 0.4 : value,
          status: isBad ? 'invalid' : isOdd && index % 53 === 30 ? 'generator-bound' : null,
          ...comparedAs(metric.better, index === 0 || service === 'nginx' ? null : step, random),
        });
      }
    }
    last = runId(index, everyHours);
    build.addRow({ ...rowFacts(index, made, steps), id: last, cpu: cpu.name, points });
  }
  const { manifest, pieces } = build.end();
  const hidden = { id: runId(3, everyHours), why: 'hidden' as const, reason: 'the runner was busy' };
  const content = jsonText({
    ...manifest,
    latest:
      runs === 0
        ? null
        : { id: last, path: `runs/${last.slice(0, 4)}-${last.slice(4, 6)}/${last}.${shaOf(runs - 1)}.json` },
    leftOut: runs > 3 ? [hidden] : [],
    oldest: runs === 0 ? null : runId(0, everyHours),
    ...more,
  });
  return new Map([...pieces.map(({ file, content: own }) => [file, own] as const), ['manifest.json', content]]);
}

function comparedAs(better: 'higher' | 'lower', step: number | null, random: ReturnType<typeof seededRandom>) {
  if (step === null) return { change: null, low: null, high: null, verdict: null };
  const change = (better === 'higher' ? 1 / (1 + step) - 1 : step) + 0.004 * normal(random);
  const half = 0.008 + 0.004 * random.next();
  const isWorse = better === 'higher' ? change < -0.03 : change > 0.03;
  const verdict =
    Math.abs(change) <= 0.03
      ? random.next() < 0.03
        ? 'inconclusive'
        : 'no-change'
      : isWorse
        ? 'regression'
        : 'improvement';
  return { change, low: change - half, high: change + half, verdict } as const;
}

function rowFacts(index: number, made: MadeUpPages, steps: Readonly<Record<number, number>>) {
  const isWorse = (steps[index] ?? 0) > 0;
  const release = made.release ?? ((place: number) => (place % 40 === 25 ? `v1.${Math.floor(place / 40)}.0` : null));
  return {
    sha: shaOf(index),
    workflowRun: 7_301_000_000 + index,
    pullRequest: index % 2 === 0 ? 100 + index : null,
    release: release(index),
    passed: index === 0 ? null : true,
    mode: index === 0 ? null : ('duet' as const),
    anchor: null,
    imported: false,
    accepted: isWorse ? [{ cases: '/*', metric: 'cpu-per-request', reason: 'one more check of the token' }] : [],
  } satisfies Partial<RunRow>;
}

export function runId(index: number, everyHours = 11): string {
  const digits = new Date(START + index * everyHours * 3_600_000).toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${index.toString(16).padStart(6, '0')}`;
}

export function shaOf(index: number): string {
  return (index + 0x3f2c1ab).toString(16).padStart(7, '0').padEnd(40, 'c');
}
