import { parseCpuList } from '../config/cpu-list.ts';
import { cpuQuotaOf } from '../config/cpu-quota.ts';
import { type PlaceholderValues, portPlaceholder, substitute } from '../config/placeholders.ts';
import type { Endpoint, Placement, Service } from '../config/resolved.ts';
import { readinessWords, readyRequestOf } from '../verification/ready-request.ts';
import { type Certificate, certificateFiles } from './certificate.ts';
import { memoryLimitOf } from './memory-limit.ts';
import type { PartPlan, PartProgram } from './part-plan.ts';
import type { PartReadiness } from './part-readiness.ts';

/** What a plan of something of the spec's is made of beside the spec. */
export interface ProgramWish {
  /** Null for a process. */
  image: string | null;
  placement: Placement;
  /** Of what stands beside it. */
  placeholders: PlaceholderValues;
  /** Folder of the spec, absolute: where a process begins. */
  directory: string;
  /** Path in the container → content, of its `files`; empty for a process, which reads them where they are. */
  files: Record<string, Uint8Array>;
  machine: { cpuCount: number; memoryBytes: number };
  /** Of a service that is asked over TLS. */
  certificate?: Certificate;
}

/** The service as its image or its command has it. As a process it finds its port in PORT too. */
export function servicePlan(
  service: Service,
  endpoints: readonly Endpoint[],
  { image, placement, placeholders, directory, files, machine, certificate }: ProgramWish,
): PartPlan {
  const cpuCount = parseCpuList(placement.service)?.length ?? machine.cpuCount;
  return {
    part: 'service',
    title: `Service ${service.name}`,
    isTool: false,
    image,
    programAt({ listen, configurationFolder, writableFolder }) {
      const port = String(listen?.port ?? service.port);
      const ports = portValues({ ...service.ports, ...listen?.ports });
      const tls = certificate === undefined ? null : certificateFiles(certificate, configurationFolder);
      const own = { ...placeholders, ...ports, ...tls?.placeholders };
      const values = { ...own, port, folder: writableFolder, service: service.name, cpus: String(cpuCount) };
      const filled = filledIn(service, values);
      return {
        ...filled,
        env: listen === null ? filled.env : { PORT: port, ...filled.env },
        files: { ...files, ...tls?.files },
      };
    },
    user: service.user ?? null,
    directory,
    cpus: placement.service,
    cpuQuota: cpuQuotaOf(service, placement),
    memoryBytes: memoryLimitOf(service, machine.memoryBytes),
    openFiles: service.openFiles,
    volumes: service.volumes ?? [],
    port: service.port,
    ready: readinessOf(service, endpoints),
    ending: { signal: 'SIGTERM', graceSeconds: 3 },
  };
}

function portValues(ports: Readonly<Record<string, number>>): PlaceholderValues {
  return Object.fromEntries(Object.entries(ports).map(([name, number]) => [portPlaceholder(name), String(number)]));
}

/** What is started, with its placeholders filled in. Throws `PlaceholderError`. */
export function filledIn(
  { entrypoint, command, env }: Pick<Service, 'entrypoint' | 'command' | 'env'>,
  values: PlaceholderValues,
): Omit<PartProgram, 'files'> {
  const filled = Object.entries(env).map(([name, value]) => [name, substitute(value, values)] as const);
  return {
    env: Object.fromEntries(filled),
    entrypoint: entrypoint === undefined ? null : entrypoint.map((word) => substitute(word, values)),
    command: (command ?? []).map((word) => substitute(word, values)),
  };
}

function readinessOf(service: Service, endpoints: readonly Endpoint[]): PartReadiness {
  const asked = readyRequestOf(service, endpoints);
  return {
    kind: 'answer',
    asked,
    protocol: service.protocol,
    timeoutSeconds: service.ready.timeoutSeconds,
    failure(outcome, origin, refused) {
      const words = readinessWords(service, asked, origin);
      switch (outcome.kind) {
        case 'answered':
          return { code: 'not-ready', message: `${words.asked} and ${words.answers(outcome.status)}. ${words.more}` };
        case 'failed':
          return {
            code: 'not-ready',
            message: `${words.asked} and gives no answer: ${outcome.message}. ${words.more}`,
          };
        case 'no-tls':
          return {
            code: 'not-ready',
            message: `${service.name} was asked for ${origin}${asked?.path ?? ''} and ${outcome.does}. Start it with the certificate and the key that \${tls.certificate} and \${tls.key} name, or correct its protocol (${service.protocol}) in the spec.`,
          };
        case 'refused':
          return { code: 'nothing-listens', message: `${words.asked}, but ${refused('the service')}.` };
        case 'ended':
          return { code: 'exited', message: `${service.name} exited before it was ready.` };
      }
    },
  };
}
