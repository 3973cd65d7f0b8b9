import { describe, expect, it } from 'vitest';
import { nginxConfiguration, ownNginxConfiguration } from '../../../src/core/topology/nginx.ts';
import { pgbouncerConfiguration, pgbouncerOpenFiles, pgbouncerUserList } from '../../../src/core/topology/pgbouncer.ts';

describe('the configuration of the gateway', () => {
  it('is a reverse proxy that keeps connections on both sides and logs no request', () => {
    expect(nginxConfiguration({ upstream: '172.18.0.2:8080', workers: 2, openFiles: 8192 })).toMatchInlineSnapshot(`
      "daemon off;
      worker_processes 2;
      pid /tmp/nginx.pid;
      error_log stderr warn;

      events {
        worker_connections 4096;
      }

      http {
        access_log off;
        server_tokens off;
        client_body_temp_path /tmp/client_body;
        proxy_temp_path /tmp/proxy;
        fastcgi_temp_path /tmp/fastcgi;
        uwsgi_temp_path /tmp/uwsgi;
        scgi_temp_path /tmp/scgi;
        client_max_body_size 0;
        keepalive_timeout 75s;
        keepalive_requests 10000;

        upstream service {
          server 172.18.0.2:8080 max_fails=0;
          keepalive 256;
          keepalive_requests 10000;
        }

        server {
          listen 8080 backlog=4096 reuseport;
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
      "
    `);
  });

  it.each([
    [100, 1024],
    [8192, 4096],
    [1_048_576, 65_536],
  ])('lets a worker have, of %i open files, %i connections', (openFiles, connections) => {
    const text = nginxConfiguration({ upstream: 'a:1', workers: 1, openFiles });
    expect(/worker_connections (\d+);/.exec(text)?.[1]).toBe(String(connections));
  });
});

const plan = {
  ...{
    host: '172.19.0.2',
    port: 5432,
    user: 'app',
    password: 'secret',
    mode: 'transaction' as const,
  },
  ...{ defaultPoolSize: 50, maxClientConnections: 500, userListPath: '/etc/wrkbench/userlist.txt' },
};

describe('the configuration of the pooler', () => {
  it('passes on whatever database is named, and logs no connection', () => {
    expect(pgbouncerConfiguration(plan)).toMatchInlineSnapshot(`
      "[databases]
      * = host=172.19.0.2 port=5432

      [pgbouncer]
      listen_addr = 0.0.0.0
      listen_port = 6432
      listen_backlog = 4096
      unix_socket_dir =
      auth_type = scram-sha-256
      auth_file = /etc/wrkbench/userlist.txt
      pool_mode = transaction
      default_pool_size = 50
      max_client_conn = 500
      ignore_startup_parameters = extra_float_digits
      server_tls_sslmode = disable
      log_connections = 0
      log_disconnections = 0
      log_stats = 0
      "
    `);
  });

  it('quotes the user and the password', () => {
    expect(pgbouncerUserList({ user: 'a"b', password: 'p"w' })).toBe('"a""b" "p""w"\n');
  });

  it('has as many open files as both sides need', () => {
    expect(pgbouncerOpenFiles({ maxClientConnections: 100, defaultPoolSize: 10 })).toBe(1024);
    expect(pgbouncerOpenFiles({ maxClientConnections: 20_000, defaultPoolSize: 50 })).toBe(20_356);
  });
});

describe("the user's own configuration of the gateway", () => {
  const plan = { upstream: '127.0.0.1:81', workers: 2, openFiles: 8192, listen: '127.0.0.1:82', folder: '/tmp/x' };
  const whole = `daemon off;
pid \${folder}/nginx.pid;
error_log stderr;
worker_processes \${workers};
http { server { listen \${listen}; location / { proxy_pass http://\${upstream}; add_header X "\${host} $\${listen}"; } } }
`;

  it('has its placeholders filled in, and variables of nginx as they are', () => {
    expect(ownNginxConfiguration(whole, plan)).toBe(`daemon off;
pid /tmp/x/nginx.pid;
error_log stderr;
worker_processes 2;
http { server { listen 127.0.0.1:82; location / { proxy_pass http://127.0.0.1:81; add_header X "\${host} \${listen}"; } } }
`);
    const inContainer = ownNginxConfiguration(whole, { upstream: '172.18.0.2:80', workers: 1, openFiles: 1024 });
    expect(inContainer).toContain('pid /tmp/nginx.pid;');
    expect(inContainer).toContain('listen 8080;');
  });

  it('gets on its first line what it lacks to be started without rights', () => {
    expect(ownNginxConfiguration('events {}\n# daemon on\n', plan)).toBe(
      'daemon off; pid /tmp/x/nginx.pid; error_log stderr warn; events {}\n# daemon on\n',
    );
    expect(ownNginxConfiguration('daemon off; error_log stderr;', plan)).toBe(
      'pid /tmp/x/nginx.pid; daemon off; error_log stderr;',
    );
  });
});
