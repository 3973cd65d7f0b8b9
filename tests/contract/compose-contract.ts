import { describe, expect, it } from 'vitest';
import { type ComposeService, composeProjects } from '../../src/core/detection/compose.ts';
import type { ReadProject } from '../../src/core/detection/compose-project.ts';
import type { RepositoryFile } from '../../src/core/detection/files.ts';

export interface ReadingUnderTest {
  /** What Compose itself reads of a repository; nothing where files are read without it. */
  read(files: readonly RepositoryFile[]): Promise<ReadProject[]>;
}

type Files = Record<string, string>;
type Expected = Partial<ComposeService>;

const variables = (values: Record<string, string | null>, from = 'compose.yml') =>
  Object.entries(values).map(([name, value]) => ({ name, value, from }));
const build = (context: string, more = {}) => ({ context, dockerfile: 'Dockerfile', target: null, args: {}, ...more });

/** Each case: files of a repository, and what is known of the services of its first project. */
const CASES: [name: string, files: Files, expected: Record<string, Expected>][] = [
  [
    'short forms',
    {
      'compose.yml': `services:
  web:
    build: ./api
    command: serve --name "two words"
    entrypoint: ["/bin/run", "x"]
    ports: ["127.0.0.1:8080:3000/tcp", "9000"]
    expose: ["4000"]
    environment: [LEVEL=warn, EMPTY=, "SPACED= a = b "]
    depends_on: [db]
    volumes: ["./a.conf:/etc/a.conf:ro", "data:/data", "/cache"]
    tmpfs: /run
    user: "1000:1000"
    mem_limit: 512m
  db: {image: "postgres:18"}
volumes: {data: {}}
`,
    },
    {
      web: {
        build: build('api'),
        command: ['serve', '--name', 'two words'],
        entrypoint: ['/bin/run', 'x'],
        port: 3000,
        ports: [3000, 9000, 4000],
        environment: variables({ LEVEL: 'warn', EMPTY: '', SPACED: ' a = b ' }),
        dependsOn: new Map([['db', 'service_started']]),
        user: '1000:1000',
        memory: '512m',
        image: null,
        health: null,
      },
      db: { image: 'postgres:18', build: null, command: null, entrypoint: null, ports: [], environment: [] },
    },
  ],
  [
    'long forms',
    {
      'compose.yml': `services:
  web:
    build: {context: ., dockerfile: docker/Dockerfile, target: prod, args: {LEVEL: "1"}}
    ports: [{target: 3000, published: "8080"}]
    environment: {LEVEL: 5, DEBUG: true}
    depends_on: {job: {condition: service_completed_successfully}}
    healthcheck: {test: ["CMD", "curl", "http://localhost:3000/up"]}
    hostname: web.internal
    deploy: {resources: {limits: {memory: 1g}}}
  job: {build: ., command: ["migrate"], restart: "no", profiles: [migrate]}
`,
    },
    {
      web: {
        build: build('.', { dockerfile: 'docker/Dockerfile', target: 'prod', args: { LEVEL: '1' } }),
        port: 3000,
        published: new Map([[8080, 3000]]),
        environment: variables({ LEVEL: '5', DEBUG: 'true' }),
        dependsOn: new Map([['job', 'service_completed_successfully']]),
        health: { words: ['curl', 'http://localhost:3000/up'], path: '/up' },
        names: ['web', 'web.internal'],
        memory: '1024m',
      },
      job: { command: ['migrate'], restart: 'no', profiles: ['migrate'] },
    },
  ],
  [
    'variables',
    {
      'compose.yml': `services:
  web:
    image: "acme/web:\${TAG:-1.2}"
    command: ["sh", "-c", "echo $$HOME \${LEVEL}"]
    environment:
      LEVEL: \${LEVEL}
      MODE: \${MODE:-\${OTHER:-fast}}
      KNOWN: x\${LEVEL:+y}z
      REQUIRED: \${REQUIRED:?set it}
      ABSENT: \${ABSENT}
      ASKED:
`,
      '.env': "LEVEL=warn\nOTHER='slow'\n",
      '.env.example': 'LEVEL=debug\n',
    },
    {
      web: {
        image: 'acme/web:1.2',
        command: ['sh', '-c', 'echo $HOME warn'],
        environment: variables({
          LEVEL: 'warn',
          MODE: 'slow',
          KNOWN: 'xyz',
          REQUIRED: null,
          ABSENT: null,
          ASKED: null,
        }),
      },
    },
  ],
  [
    'an override over its file',
    {
      'docker-compose.yml': `services:
  web:
    image: acme/web
    command: run
    ports: ["8080:80"]
    environment: [A=1, B=2]
`,
      'docker-compose.override.yml': `services:
  web:
    image: !reset null
    build: .
    command: [dev, --watch]
    ports: ["9090:90"]
    environment: {B: 3, C: 4}
  mail: {image: axllent/mailpit}
`,
    },
    {
      web: {
        image: null,
        build: build('.'),
        command: ['dev', '--watch'],
        ports: [80, 90],
        environment: variables({ A: '1', B: '3', C: '4' }, 'docker-compose.yml'),
      },
      mail: { image: 'axllent/mailpit' },
    },
  ],
  [
    'a service over the one that it extends',
    {
      'compose.yml': `x-env: &env {A: 1, B: 2}
services:
  base: {build: ., user: "1000", environment: *env}
  web:
    extends: {service: base}
    environment: {<<: *env, B: 3}
`,
    },
    { web: { build: build('.'), user: '1000', environment: variables({ A: '1', B: '3' }) } },
  ],
  [
    'a project below the top, whose file of variables is absent',
    {
      'docker/docker-compose.yml': `services:
  web: {build: {context: .., dockerfile: docker/Dockerfile}, env_file: [.env, absent.env], volumes: ["../conf/a.conf:/a"]}
`,
      'docker/.env.example': 'LEVEL=warn\n',
    },
    {
      web: {
        from: 'docker/docker-compose.yml',
        build: build('.', { dockerfile: 'docker/Dockerfile' }),
        environment: variables({ LEVEL: 'warn' }, 'docker/.env.example'),
        missing: [
          {
            what: 'env_file docker/absent.env of web (docker/docker-compose.yml)',
            why: 'no such file is read here: write the variables that the service needs into its env',
            kind: 'needed',
          },
        ],
      },
    },
  ],
];

/** What a compose file says, whoever has read it. */
export function composeContract(name: string, { read }: ReadingUnderTest): void {
  describe(`compose files read by ${name}`, () => {
    it.each(CASES)('have %s', async (_, written, expected) => {
      const files = Object.entries(written).map(([path, content]) => ({ path, content }));
      const [services = []] = composeProjects(files, await read(files));
      for (const [key, own] of Object.entries(expected)) {
        const service = services.find((each) => each.key === key);
        expect(service).toMatchObject({ key, ...own });
      }
    });

    it('mount files, folders and volumes', async () => {
      const content = `services:
  web:
    image: x
    volumes: ["./a.conf:/etc/a.conf:ro", "data:/data", "/cache", "../out:/out", "~/.web:/home/web", {type: bind, source: ./b, target: /b/}]
    tmpfs: [/run]
    secrets: [key]
secrets: {key: {file: ./key.txt}}
volumes: {data: {}}
`;
      const files = [{ path: 'compose.yml', content }];
      const [[web] = []] = composeProjects(files, await read(files));
      const mounts = web!.mounts.map(({ kind, source, target, isNamed, isReadOnly, isFile }) =>
        [kind, source, target, isNamed ? 'named' : '', isReadOnly ? 'ro' : '', isFile ? 'file' : ''].join(' ').trim(),
      );
      expect(mounts.sort()).toEqual(
        [
          'bind a.conf /etc/a.conf  ro',
          'volume  /data named',
          'volume  /cache',
          'bind  /out',
          'bind  /home/web',
          'bind b /b',
          'volume  /run',
          'bind key.txt /run/secrets/key  ro file',
        ].sort(),
      );
      // Whose home it is, nobody asks.
      expect(web!.mounts.find(({ target }) => target === '/home/web')!.written).toBe('~/.web:/home/web');
    });
  });
}
