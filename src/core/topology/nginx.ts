import template from '../../../templates/nginx.conf';
import { filled } from '../format/template.ts';

/** Port that the gateway listens on; above 1023, so that nginx needs no privileges at all. */
export const GATEWAY_PORT = 8080;

export interface NginxPlan {
  /** Address and port of the service. */
  upstream: string;
  /** One for each CPU that the gateway may run on: nginx's own `auto` counts those of the machine. */
  workers: number;
  /** Limit of open files that the container is given. */
  openFiles: number;
  /** Port, or address and port, that it listens on; `GATEWAY_PORT` of every address where absent. */
  listen?: string;
  /** Folder that it may write to, absolute; `/tmp` where absent. */
  folder?: string;
}

/** Idle connections to the service that each worker keeps. */
const UPSTREAM_KEEP_ALIVE = 256;

/** The whole configuration of the gateway: a reverse proxy that keeps connections on both sides and writes no access log. */
export function nginxConfiguration(plan: NginxPlan): string {
  const folder = plan.folder ?? '/tmp';
  // Each proxied request holds two connections.
  const connections = Math.min(65_536, Math.max(1024, Math.floor(plan.openFiles / 2)));
  return filled(template, {
    __WORKERS__: String(plan.workers),
    __FOLDER__: folder,
    __CONNECTIONS__: String(connections),
    __UPSTREAM__: plan.upstream,
    __UPSTREAM_KEEP_ALIVE__: String(UPSTREAM_KEEP_ALIVE),
    __LISTEN__: String(plan.listen ?? GATEWAY_PORT),
  });
}
