/** A repository of fixtures/repositories, and what running its spec takes and shows. */
export interface MeasuredRepository {
  name: string;
  /** Programs of this machine that it is installed and started with. */
  programs: string[];
  /** Run in the repository before its spec, as the comment in the spec says; the tools keep their downloads. */
  install: string[][];
  /** Folders of the repository that are first on the PATH. */
  path?: string[];
  /** Started by its Dockerfile, and which images that starts from. */
  images?: string[];
  /** Spec → the endpoint of its own that has to answer, and whether that asks the database. */
  own: Record<string, { endpoint: string; database: boolean }>;
  /** What the text of `init` has to name as left out. */
  leftOut: string[];
}

const NPM = [['npm', 'install', '--no-audit', '--no-fund', '--no-package-lock']];
const PIP = [
  ['python3', '-m', 'venv', '.venv'],
  ['.venv/bin/pip', 'install', '--quiet', '-r', 'requirements.txt'],
];
const wired = (endpoint: string) => ({ 'wrkbench.yml': { endpoint, database: true } });

export const REPOSITORIES: MeasuredRepository[] = [
  {
    name: 'express',
    programs: ['docker'],
    install: [],
    images: ['node:22-slim', 'postgres:18'],
    own: wired('api-products'),
    leftOut: ['JWT_SECRET', 'GET /api/products/{id}', 'POST /api/products', 'POST /api/orders'],
  },
  {
    name: 'fastify',
    programs: ['npm'],
    install: NPM,
    own: wired('v1-items'),
    leftOut: ['GET /v1/items/{id}'],
  },
  {
    name: 'nestjs',
    programs: ['npm'],
    install: [...NPM, ['npm', 'run', 'build']],
    own: wired('api-cats'),
    leftOut: ['GET /api/cats/{id}', 'POST /api/cats'],
  },
  {
    name: 'fastapi',
    programs: ['docker'],
    install: [],
    images: ['python:3.12-slim', 'postgres:16-alpine'],
    own: wired('api-v1-items'),
    leftOut: ['redis (redis:7-alpine', 'REDIS_URL', 'API_KEY', 'POST /api/v1/items'],
  },
  {
    name: 'flask',
    programs: ['python3'],
    install: PIP,
    path: ['.venv/bin'],
    own: wired('api-products'),
    leftOut: ['SECRET_KEY', 'POST /api/products/'],
  },
  {
    name: 'django',
    programs: ['python3'],
    install: PIP,
    path: ['.venv/bin'],
    own: wired('api-books'),
    leftOut: ['DJANGO_SECRET_KEY', 'GET /api/books/{book_id}/'],
  },
  {
    name: 'go-openapi',
    programs: ['docker'],
    install: [],
    images: ['golang:1.26', 'gcr.io/distroless/static-debian12'],
    own: { 'wrkbench.yml': { endpoint: 'post-users', database: false } },
    leftOut: ['DELETE /users/{id}', 'GET /users/{id}/avatar', 'GET /admin'],
  },
  {
    name: 'gin',
    programs: ['go'],
    install: [['go', 'build', '-o', '/dev/null', './cmd/api']],
    own: wired('api-v1-stock-levels'),
    leftOut: ['POST /api/v1/stock/orders'],
  },
  {
    name: 'spring',
    programs: ['java', 'mvn'],
    install: [['mvn', '--quiet', '--batch-mode', '-DskipTests', 'package']],
    own: wired('articles'),
    leftOut: ['GET /articles/{id}', 'POST /articles'],
  },
  {
    name: 'axum',
    programs: ['cargo'],
    install: [['cargo', 'build', '--quiet', '--release']],
    own: wired('v1-accounts'),
    leftOut: ['POST /v1/accounts'],
  },
  {
    name: 'compose-nine',
    programs: ['docker'],
    install: [],
    images: ['node:22-slim', 'postgres:18', 'edoburu/pgbouncer:v1.24.1-p1'],
    own: wired('users'),
    leftOut: ['worker', 'redis (redis:7', 'proxy (nginx:1.29', 'adminer', 'loadtest'],
  },
  {
    name: 'monorepo',
    programs: ['docker'],
    install: [],
    images: ['node:22-slim'],
    own: {
      'wrkbench.a.yml': { endpoint: 'accounts', database: false },
      'wrkbench.b.yml': { endpoint: 'invoices', database: false },
    },
    leftOut: ['GET /accounts/{id}'],
  },
];

/** Detected and asserted by tests, and started nowhere here unless their runtime is. */
export const DETECTED_ALONE: { name: string; program: string }[] = [
  { name: 'rails', program: 'ruby' },
  { name: 'laravel', program: 'php' },
  { name: 'aspnet', program: 'dotnet' },
];
