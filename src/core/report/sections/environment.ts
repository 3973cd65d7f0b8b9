import { CPU_PERIOD_US, cpuQuotaOf } from '../../config/cpu-quota.ts';
import { requestText } from '../../config/request-text.ts';
import type { Database } from '../../config/resolved.ts';
import { counted, size } from '../../format/figures.ts';
import { GENERATOR_NAMES } from '../../generators/registry.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Protocol } from '../../values/protocol.ts';
import { type Block, type Inline, left, type Row, type Section } from '../document.ts';
import { type ReportView, requestCounts } from '../view.ts';

/** The machine, how the parts were connected, the database's settings, what was asked for. */
export function environment({ record }: ReportView): Section {
  return {
    id: 'environment',
    title: 'Test environment',
    blocks: [
      ...machine(record),
      { kind: 'heading', text: 'Topology' },
      { kind: 'list', items: topology(record) },
      ...(record.spec.database === null ? [] : database(record.spec.database, record)),
      ...endpoints(record),
    ],
  };
}

function machine({ environment: machine }: RunRecord): Block[] {
  const { versions } = machine;
  const tools = ([...GENERATOR_NAMES, 'docker', 'postgres'] as const).flatMap((name) =>
    versions[name] === null ? [] : [`${toolNames[name] ?? name} ${versions[name]}`],
  );
  const facts: [string, Inline][] = [
    ['CPU', `${machine.cpuModel}, ${counted(machine.cpuCount, 'core')}`],
    ['Memory', size(machine.memoryBytes)],
    ['System', `${machine.os}, kernel ${machine.kernel}`],
    ['Runtime', machine.runtime === 'docker' ? 'Docker containers' : 'processes of this machine'],
    ['Versions', tools.join(', ')],
  ];
  const settings = Object.entries(machine.sysctls).map(([name, value]) => `${name} = ${value}`);
  const kernel: Block = {
    kind: 'details',
    summary: 'Kernel settings',
    blocks: [{ kind: 'code', language: '', text: settings.join('\n') }],
  };
  return [factTable('Machine', facts), ...(settings.length === 0 ? [] : [kernel])];
}

const toolNames: Record<string, string> = { docker: 'Docker', postgres: 'Postgres' };

function topology({ environment: { runtime, placement }, spec, comparing }: RunRecord): Inline[] {
  const hasDatabase = spec.database !== null;
  const items: Inline[] = [
    runtime === 'docker'
      ? `One container for each part, on an application network${hasDatabase ? ' and an internal database network' : ''} of its own; the generator speaks to the container's own address, through no published port.`
      : `Each service is a process of this machine, reached over the loopback interface${hasDatabase ? "; so is its database's server" : ''}.`,
    comparing === undefined
      ? `One service runs at a time${hasDatabase ? ', with a database of its own' : ''}.`
      : `Baseline and candidate of one service run at a time${hasDatabase ? ', each with a database of its own' : ''}.`,
  ];
  const onDatabase = hasDatabase ? `, database on ${cpus(placement.database)}` : '';
  items.push(`Service on ${cpus(placement.service)}${onDatabase}, generator on ${cpus(placement.generator)}.`);
  const limited = spec.services.flatMap((service) => {
    const quota = cpuQuotaOf(service, placement);
    return quota === null ? [] : [`${service.name} ${quota}`];
  });
  if (limited.length > 0) {
    items.push(
      `The kernel limits the services' CPU time, in periods of ${CPU_PERIOD_US / 1000} ms: ${limited.join(', ')} CPUs. Latencies hold the pauses.`,
    );
  }
  for (const [protocol, words] of Object.entries(ASKED_OVER)) {
    const names = spec.services.filter((service) => service.protocol === protocol).map(({ name }) => name);
    if (names.length > 0) items.push(`Asked over ${words}: ${names.join(', ')}.`);
  }
  if (spec.gateway !== null) {
    const { kind, image } = spec.gateway;
    items.push(['Every case once more through a gateway: ', kind, imageOf(image, runtime), '.']);
  }
  return items;
}

/** What is not said of HTTP/1.1, which services speak as a rule. */
const ASKED_OVER: Record<Exclude<Protocol, 'h1'>, string> = {
  h2: 'HTTP/2, without TLS',
  https: 'TLS, in HTTP/1.1',
  'h2-tls': 'TLS, in HTTP/2',
};

/** `CPU 0`, `CPUs 0-3`. */
function cpus(list: string): string {
  if (list === '') return 'any CPU';
  return /^\d+$/.test(list) ? `CPU ${list}` : `CPUs ${list}`;
}

/** Only containers are made of the image that the spec names; a process is whatever the machine has. */
function imageOf(image: string, runtime: 'docker' | 'process'): Inline {
  return runtime === 'docker' ? [' (', { code: image }, ')'] : '';
}

function database(
  { image, settings, pooler, init }: Database,
  { environment: { versions, runtime } }: RunRecord,
): Block[] {
  const blocks: Block[] = [
    { kind: 'heading', text: 'Database' },
    {
      kind: 'paragraph',
      text: [
        { strong: versions.postgres === null ? 'Postgres' : `Postgres ${versions.postgres}` },
        imageOf(image, runtime),
        init.length === 0 ? '' : `, filled by ${init.join(', ')}`,
        Object.keys(settings).length === 0 ? ', with its default settings.' : ', with these settings:',
      ],
    },
  ];
  if (Object.keys(settings).length > 0) {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    blocks.push({ kind: 'code', language: '', text: lines.join('\n') });
  }
  if (pooler !== null) {
    const text: Inline = [
      { strong: 'PgBouncer' },
      imageOf(pooler.image, runtime),
      `: ${pooler.mode} pooling, default_pool_size ${pooler.defaultPoolSize}, max_client_conn ${pooler.maxClientConnections}.`,
    ];
    blocks.push({ kind: 'paragraph', text });
  }
  return blocks;
}

function endpoints(record: RunRecord): Block[] {
  const { spec } = record;
  const counts = requestCounts(record);
  if (spec.endpoints.length === 0) return [];
  const rows = spec.endpoints.map((endpoint): Row => {
    const { name, body, expect } = endpoint;
    const expected: Inline[] = [`status ${expect.status}`];
    if (expect.contentType !== null) expected.push(expect.contentType);
    if (expect.body !== null) expected.push(['body ', { code: clipped(expect.body) }]);
    if (expect.json !== undefined) expected.push(['JSON with ', { code: clipped(JSON.stringify(expect.json)) }]);
    if (expect.sizeBytes !== null) expected.push(`${expect.sizeBytes.min} to ${expect.sizeBytes.max} bytes`);
    if (expect.matches !== null) expected.push(['matching ', { code: clipped(expect.matches) }]);
    const request: Inline = [
      { code: requestText(endpoint, { requests: counts.get(name) ?? null }) },
      ...(body === null ? [] : [' with ', { code: clipped(body) }]),
    ];
    return {
      tone: 'plain',
      cells: [name, request, expected.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))],
    };
  });
  const columns = [left('Endpoint'), left('Request'), left('Answer, checked before and after the load')];
  const text = "Paths follow each service's base path, where it has one.";
  return [
    { kind: 'heading', text: 'Endpoints' },
    ...(spec.services.some(({ basePath }) => basePath !== '') ? [{ kind: 'paragraph' as const, text }] : []),
    { kind: 'table', table: { label: 'Endpoints', columns, rows } },
  ];
}

function clipped(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function factTable(label: string, facts: [string, Inline][]): Block {
  const rows = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]): Row => ({ tone: 'plain', cells: [name, value] }));
  return { kind: 'table', table: { label, columns: [left(label), left('')], rows, mixed: true } };
}
