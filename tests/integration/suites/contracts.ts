export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What one request to a server of a suite must be answered with. */
interface Promised {
  asked: Asked;
  status?: number;
  type: string;
  body: string | RegExp;
}

/** A server, and what it promises: the document's answers, and how it treats a connection. */
export interface Contract {
  service: string;
  answers: Promised[];
  /** Closes after each answer, whatever it is asked. */
  closes?: true;
  /** Bytes of a whole answer to ab, head included, where they are the document's. */
  bytesToAb?: number;
  /** Answers every path alike. */
  knowsNoPaths?: true;
}

const HTML: Promised = { asked: { path: '/' }, type: 'text/html', body: '<h1>Hello, World!</h1>' };
const JSON_TYPE = 'application/json; charset=utf-8';
const PING = '{"ok":true,"message":"OK"}';

/** The first user, and as many bytes as the document's answers have. */
function users(service: string, birthdate: string, size: number, end = ''): Contract {
  const first = `[{"id":1,"username":"alan1","name":"Alan Allen","sex":"M","address":"1 Mulberry Street, Apartment 7, Building 1, ","mail":"alan.allen1@example.com","birthdate":"${birthdate}"},`;
  return {
    service,
    // Of them Go alone looks at the path.
    ...(service === 'go' ? {} : { knowsNoPaths: true }),
    answers: [
      {
        asked: { path: '/' },
        type: 'application/json',
        body: new RegExp(`^${escaped(first)}.{${size - first.length - 2 - end.length}}}\\]${end}$`, 's'),
      },
    ],
  };
}

function pong(service: string, type: string, more: Partial<Contract> = {}): Contract {
  const asked = {
    method: 'POST',
    path: '/ping',
    headers: { 'content-type': 'application/json' },
    body: '{"sequence": 2}',
  };
  return { service, answers: [{ asked, type, body: '{"sequence":2}' }], ...more };
}

function hello(service: string, type = 'text/plain; charset=utf-8'): Contract {
  return { service, answers: [{ asked: { path: '/api/test' }, type, body: 'Hello, World!' }] };
}

function rest(service: string, base: string, fixed: boolean): Contract {
  const of = (path: string, body: string | RegExp): Promised => ({
    asked: { path: `${base}${path}` },
    type: JSON_TYPE,
    body,
  });
  return {
    service,
    answers: [
      of('/ping', PING),
      of('/time', /^\{"serverTime":1\d{9}\}$/),
      of('/db/ping', fixed ? PING : '{"ok" : true, "message" : "OK"}'),
      of('/db/time', fixed ? /^\{"serverTime":1\d{9}\}$/ : /^\{"serverTime" : 1\d{9}\}$/),
    ],
  };
}

export const CONTRACTS: Record<string, Contract[]> = {
  'abstract-rest': [
    hello('java-light-4j'),
    hello('haskell-warp'),
    hello('rust-iron'),
    hello('go-gorilla-mux'),
    hello('node'),
    hello('python-sanic'),
    hello('node-express'),
    hello('java-spring-boot', 'text/plain;charset=UTF-8'),
    hello('python-aiohttp'),
    { ...hello('python-flask'), closes: true },
  ],
  'apostol-rest': [
    rest('nginx', '/api/v0', true),
    rest('python', '/api/v2', false),
    rest('node', '/api/v3', false),
    rest('go', '/api/v4', false),
  ],
  'event-pong': [
    pong('express', 'application/json; charset=utf-8'),
    pong('go-fasthttp', 'application/json; charset=utf-8'),
    pong('beast', 'application/json', { closes: true }),
  ],
  'hardware-tax': [
    { service: 'bun', answers: [HTML], bytesToAb: 123, knowsNoPaths: true },
    { service: 'go', answers: [HTML], bytesToAb: 123 },
    { service: 'node', answers: [HTML], knowsNoPaths: true },
    { service: 'epoll', answers: [HTML] },
  ],
  'users-1000': [
    users('go', '1950-01-20T07:11:13Z', 182_478, '\n'),
    users('node-cluster', '1950-01-20T07:11:13.000Z', 186_477),
    users('node-pm2', '1950-01-20T07:11:13.000Z', 186_477),
    users('python-gunicorn', '1950-01-20T07:11:13', 181_477),
    users('python-asyncio', '1950-01-20T07:11:13', 181_477),
    users('python-uvloop', '1950-01-20T07:11:13', 181_477),
  ],
};

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
