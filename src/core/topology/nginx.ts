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

/** What `nginxConfiguration` and a configuration of the user's are made for. */
function placesOf({ listen, folder }: NginxPlan) {
  return { listen: String(listen ?? GATEWAY_PORT), folder: folder ?? '/tmp' };
}

/**
 * The user's own configuration with its placeholders filled in; `$${` stands for `${`, and any other `${name}` is a variable of
 * nginx. What makes it a child of ours without rights (in the foreground, its files where it may write) is put before it where the
 * text does not say it, on the first line, so that nginx counts lines as the file does.
 */
export function ownNginxConfiguration(text: string, plan: NginxPlan): string {
  const { listen, folder } = placesOf(plan);
  const values: Record<string, string> = { upstream: plan.upstream, listen, workers: String(plan.workers), folder };
  const own = text.replaceAll(/\$\$\{|\$\{(upstream|listen|workers|folder)\}/g, (_, name?: string) =>
    name === undefined ? '${' : values[name]!,
  );
  const needed = { daemon: 'off', pid: `${folder}/nginx.pid`, error_log: 'stderr warn' };
  const missing = Object.entries(needed).filter(([name]) => !new RegExp(`(?:^|[;{}])[ \\t]*${name}\\s`, 'm').test(own));
  return missing.map(([name, value]) => `${name} ${value}; `).join('') + own;
}

/** Idle connections to the service that each worker keeps. */
const UPSTREAM_KEEP_ALIVE = 256;

/** The whole configuration of the gateway: a reverse proxy that keeps connections on both sides and writes no access log. */
export function nginxConfiguration(plan: NginxPlan): string {
  const { listen, folder } = placesOf(plan);
  // Each proxied request holds two connections.
  const connections = Math.min(65_536, Math.max(1024, Math.floor(plan.openFiles / 2)));
  return filled(template, {
    __WORKERS__: String(plan.workers),
    __FOLDER__: folder,
    __CONNECTIONS__: String(connections),
    __UPSTREAM__: plan.upstream,
    __UPSTREAM_KEEP_ALIVE__: String(UPSTREAM_KEEP_ALIVE),
    __LISTEN__: listen,
  });
}
