import type { ReadyRequest } from '../verification/ready-request.ts';
import { GATEWAY_PORT, type NginxPlan } from './nginx.ts';
import type { PartPlan } from './part-plan.ts';

export interface GatewayWish {
  /** Null for a process. */
  image: string | null;
  cpus: string;
  /** Number of CPUs in `cpus`. */
  workers: number;
  openFiles: number;
  /** `ADDRESS:PORT` of the service, which answers already. */
  upstream: string;
  /** What the service is asked; null where an open port is enough. */
  asked: ReadyRequest | null;
  /** What nginx is given, and what is said behind the sentence that it gives no answer. */
  configuration: { of(plan: NginxPlan): string; advice: string };
}

const READY_SECONDS = 15;

/** nginx in front of the service, with a configuration of ours or the spec's whatever an image's entrypoint would make. */
export function gatewayPlan({
  image,
  cpus,
  workers,
  openFiles,
  upstream,
  asked,
  configuration,
}: GatewayWish): PartPlan {
  return {
    part: 'gateway',
    title: 'The gateway (nginx)',
    isTool: true,
    image,
    programAt(place) {
      const { listen, configurationFolder, writableFolder } = place;
      const path = `${configurationFolder}/nginx.conf`;
      // nginx sets the limit itself too, and may not raise it.
      const plan: NginxPlan = { upstream, workers, openFiles: place.openFiles ?? openFiles };
      const own = listen && { listen: `${listen.address}:${listen.port}`, folder: writableFolder };
      return {
        entrypoint: ['nginx'],
        command: [...(listen === null ? [] : ['-p', writableFolder]), '-c', path],
        env: {},
        files: { [path]: configuration.of({ ...plan, ...own }) },
      };
    },
    user: null,
    directory: null,
    cpus,
    cpuQuota: null,
    memoryBytes: null,
    openFiles,
    volumes: [],
    port: GATEWAY_PORT,
    ready: {
      kind: 'answer',
      asked,
      protocol: 'h1',
      timeoutSeconds: READY_SECONDS,
      failure(outcome, origin) {
        const how = outcome.kind === 'answered' ? `answers with status ${outcome.status}` : 'gives no answer';
        const at = `${origin}${asked?.path ?? ''} for ${READY_SECONDS} s`;
        const message = `The gateway was asked for ${at} and ${how}, while the service itself answers.${configuration.advice}`;
        return { code: 'gateway-failed', message };
      },
    },
    ending: { signal: 'SIGTERM', graceSeconds: 3 },
  };
}
