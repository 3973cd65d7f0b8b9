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
  return `daemon off;
worker_processes ${plan.workers};
pid ${folder}/nginx.pid;
error_log stderr warn;

events {
  worker_connections ${connections};
}

http {
  access_log off;
  server_tokens off;
  client_body_temp_path ${folder}/client_body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_max_body_size 0;
  keepalive_timeout 75s;
  keepalive_requests 10000;

  upstream service {
    server ${plan.upstream} max_fails=0;
    keepalive ${UPSTREAM_KEEP_ALIVE};
    keepalive_requests 10000;
  }

  server {
    listen ${plan.listen ?? GATEWAY_PORT} backlog=4096 reuseport;
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}
`;
}
