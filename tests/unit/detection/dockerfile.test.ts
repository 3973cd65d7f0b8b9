import { describe, expect, it } from 'vitest';
import { healthCheckOf, recipeOf } from '../../../src/core/detection/dockerfile.ts';

const recipe = (...lines: string[]) => recipeOf({ path: 'Dockerfile', content: lines.join('\n') });
const portOf = (...lines: string[]) => recipe(...lines).port ?? recipe(...lines).exposed[0];

describe('the port that a Dockerfile exposes', () => {
  it('is the first of its last stage', () => {
    expect(portOf('FROM node', 'EXPOSE 8080', 'EXPOSE 9090')).toBe(8080);
    expect(portOf('FROM node', 'EXPOSE 8080/tcp 9090')).toBe(8080);
    expect(portOf('FROM node AS build', 'EXPOSE 5173', 'FROM node', 'EXPOSE 8080', 'EXPOSE 9090')).toBe(8080);
  });

  it('is that of the last stage that has one', () => {
    expect(portOf('FROM node AS base', 'EXPOSE 8080', 'EXPOSE 9090', 'FROM base', 'COPY . .')).toBe(8080);
  });

  it('is the value or the default of a variable', () => {
    expect(portOf('FROM node', 'ENV PORT=8080', 'EXPOSE $PORT', 'EXPOSE 9090')).toBe(8080);
    expect(portOf('FROM node', 'EXPOSE ${PORT:-8080}')).toBe(8080);
  });

  it('stands in no comment', () => {
    expect(portOf('FROM node', '# EXPOSE 9090', 'expose 8080')).toBe(8080);
  });
});

describe('the port that the command of a Dockerfile names', () => {
  it.each([
    ['CMD ["fastapi", "run", "app/main.py", "--port", "80"]', 80],
    ['CMD uvicorn app.main:app --host 0.0.0.0 --port 81', 81],
    ['CMD ["uvicorn", "app.main:app", "--port=82"]', 82],
    ['CMD gunicorn -b 0.0.0.0:5000 app:app', 5000],
    ['CMD gunicorn app:app --bind=:5001 --workers 4', 5001],
    ['CMD ["gunicorn", "--bind", "[::]:5002", "app:app"]', 5002],
    ['CMD ["flask", "run", "-h", "0.0.0.0", "-p", "5003"]', 5003],
    ['CMD python manage.py runserver 0.0.0.0:8001', 8001],
    ['CMD ["sh", "-c", "exec gunicorn --bind \'0.0.0.0:${PORT:-8002}\' app:app"]', 8002],
    ['ENV PORT=8003\nCMD uvicorn app:app --port $PORT', 8003],
    ['CMD uvicorn app:app \\\n  # of the container\n  --port 8004', 8004],
    ['ENTRYPOINT ["uvicorn", "app:app"]\nCMD ["--port", "8005"]', 8005],
    ['CMD pg_isready --port 5432 && uvicorn app:app --port 8006', 8006],
  ])('is read from %s', (line, port) => {
    expect(portOf('FROM python', line)).toBe(port);
  });

  it('is known before the one that is exposed', () => {
    expect(portOf('FROM python', 'EXPOSE 8000', 'CMD uvicorn app:app --port 80')).toBe(80);
  });

  it('is that of the last command, of the last stage that has one', () => {
    expect(portOf('FROM python', 'CMD flask run --port 1', 'CMD flask run --port 2')).toBe(2);
    expect(
      portOf('FROM python AS a', 'ENTRYPOINT flask run --port 1', 'FROM python', 'CMD flask run', 'EXPOSE 2'),
    ).toBe(2);
  });

  it.each([
    'CMD gunicorn --bind unix:/run/app.sock app:app',
    'CMD gunicorn -b 0.0.0.0 app:app',
    'CMD ["server", "--db-port", "5432"]',
    'CMD ["server", "--port"]',
    'CMD pg_isready --port 5432 && npm start',
    'CMD pg_isready --port 5432; npm start',
    'CMD uvicorn app:app --port $NOWHERE',
    'HEALTHCHECK CMD pg_isready --port 5432',
    'HEALTHCHECK --interval=5s \\\n  CMD pg_isready --port 5432',
    'CMD ["--port", "80"',
    'CMD [["--port", "80"]]',
  ])('is not taken from %s', (line) => {
    expect(portOf('FROM python', line, 'EXPOSE 8000')).toBe(8000);
  });
});

describe('a stage of a Dockerfile', () => {
  const staged =
    'FROM node AS base\nCOPY package.json .\nFROM base AS dev\nCMD npm run dev\nFROM base\nCOPY . .\nCMD node a.js\n';

  it.each([
    ['dev', false],
    [null, true],
  ])('holds the program where something of it is copied: %s', (target, copies) => {
    expect(recipeOf({ path: 'Dockerfile', content: staged }, target).copiesCode).toBe(copies);
  });

  it.each([
    ['COPY --from=build /out /app', true],
    ['COPY --from=ghcr.io/astral-sh/uv:0.9 /uv /bin/', false],
    ['COPY requirements.txt entrypoint.sh ./', false],
    ['COPY ["src", "."]', true],
    ['ADD . /src', true],
  ])('%s: %s', (line, copies) => {
    expect(recipe('FROM node AS build', 'FROM node', line).copiesCode).toBe(copies);
  });
});

describe('a health check', () => {
  it.each([
    [
      { test: ['CMD', 'curl', '-f', 'http://localhost:8000/health'] },
      ['curl', '-f', 'http://localhost:8000/health'],
      '/health',
      8000,
    ],
    [{ test: 'curl http://127.0.0.1/up || exit 1' }, ['sh', '-c', 'curl http://127.0.0.1/up || exit 1'], '/up', null],
    [
      { test: ['CMD-SHELL', 'curl http://localhost:${P:-90}/${BASE}ok'] },
      ['sh', '-c', 'curl http://localhost:${P:-90}/${BASE}ok'],
      '/ok',
      90,
    ],
    [{ test: ['CMD', 'redis-cli', 'ping'] }, ['redis-cli', 'ping'], null, null],
  ])('%j', (written, words, path, port) => {
    expect(healthCheckOf(written)).toEqual({ words, path, port });
  });

  it.each([{ test: ['NONE'] }, { test: ['CMD', 'x'], disable: true }, {}])('is none in %j', (written) => {
    expect(healthCheckOf(written)).toBeNull();
  });
});
