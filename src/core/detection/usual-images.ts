/** What images that many compose files pull are, by the last part of their names. */

interface UsualImage {
  name: RegExp;
  port: number;
  /** Folder of what it keeps, where a service's data are there and not in Postgres. */
  data?: string;
  /** It takes longer to start than a cache. */
  isSlow?: true;
}

export const CATCHES_MAIL = /^(?:mailpit|mailhog|mailcatcher|maildev)$/;

const USUAL: readonly UsualImage[] = [
  { name: /^(?:redis|redis-stack(?:-server)?|redismod|valkey|keydb|dragonfly)$/, port: 6379 },
  { name: /^(?:mysql|mysql-server|percona|percona-server)$/, port: 3306, data: '/var/lib/mysql', isSlow: true },
  { name: /^mariadb$/, port: 3306, data: '/var/lib/mysql', isSlow: true },
  { name: /^(?:mongo|mongodb|mongodb-community-server)$/, port: 27_017, data: '/data/db', isSlow: true },
  { name: /^rabbitmq$/, port: 5672, isSlow: true },
  { name: /^minio$/, port: 9000, data: '/data' },
  { name: /^memcached$/, port: 11_211 },
  { name: /^nats$/, port: 4222 },
  { name: /^(?:kafka|cp-kafka|redpanda)$/, port: 9092, isSlow: true },
  { name: /^(?:elasticsearch|opensearch)$/, port: 9200, isSlow: true },
  { name: /^(?:meilisearch)$/, port: 7700 },
  { name: /^(?:typesense)$/, port: 8108 },
  { name: CATCHES_MAIL, port: 1025 },
  { name: /^(?:keycloak)$/, port: 8080, isSlow: true },
  { name: /^(?:clickhouse-server|clickhouse)$/, port: 8123, isSlow: true },
  { name: /^(?:localstack)$/, port: 4566, isSlow: true },
  { name: /^(?:etcd)$/, port: 2379 },
  { name: /^(?:consul)$/, port: 8500 },
  { name: /^(?:vault)$/, port: 8200 },
  { name: /^(?:zookeeper|cp-zookeeper)$/, port: 2181 },
  { name: /^(?:influxdb)$/, port: 8086 },
  { name: /^(?:cassandra)$/, port: 9042, data: '/var/lib/cassandra', isSlow: true },
  { name: /^(?:cockroach)$/, port: 26_257, isSlow: true },
  { name: /^(?:server)$/, port: 1433, isSlow: true },
];

/** What the image of a name usually is; null for one that few know. */
export function usualImage(image: string): Omit<UsualImage, 'name'> | null {
  const name = plainName(image);
  return USUAL.find((each) => each.name.test(name)) ?? null;
}

/** `docker.io/library/redis:8-alpine` is `redis`. */
export function plainName(image: string): string {
  return image
    .replace(/@.*$/, '')
    .replace(/:[^/]*$/, '')
    .split('/')
    .at(-1)!
    .toLowerCase();
}

const POSTGRES = /(?:^|\/)(?:postgres(?:ql)?|postgis|timescaledb(?:-ha)?|pgvector|cloudnative-pg)(?:$|[:@])/;

export function isPostgresImage(image: string | null): boolean {
  return image !== null && POSTGRES.test(image);
}

export function isPoolerImage(image: string | null): boolean {
  return image !== null && /pgbouncer/.test(image);
}

export const LOAD_GENERATOR =
  /(?:^|[/_-])(?:k6|wrk2?|locust|jmeter|gatling|vegeta|hey|artillery|bombardier|oha|stress|load|load-?(?:gen|generator|test|tester|tests)|bench(?:mark|marks|er)?)(?:$|[:@_-])/i;
export const FILE_SERVER = /(?:^|\/)(?:nginx|nginx-unprivileged|caddy|httpd|traefik|haproxy|envoy)(?:$|[:@-])/;
/** What drives or looks at a service from outside, in the name of an image, of a Dockerfile or of a service. */
export const OF_TESTS =
  /(?:^|[/._-])(?:playwright|cypress|selenium|puppeteer|e2e)(?:$|[/:@._-])|(?:^|[/_-])(?:tests?|testing)(?:$|[/:@_-])|(?:^|\/)Dockerfile\.tests?$/i;
/** What looks at others, takes what they tell of themselves, or shows them to people: a service does without. */
export const WATCHING =
  /^(?:opentelemetry-collector(?:-contrib)?|otel-?col(?:lector)?|jaeger|all-in-one|zipkin|tempo|vector|fluentd|fluent-bit|statsd|adminer|pgadmin\d?|phpmyadmin|pgweb|mongo-express|redis-?insight|redis-commander|cadvisor|grafana|prometheus|loki|promtail|alertmanager|portainer(?:-ce)?|dozzle|watchtower|flower|dbgate|cloudbeaver|kafka-ui|[\w-]*exporter)$/;
