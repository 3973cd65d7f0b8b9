import {
  bracketed,
  folderOf,
  isBelow,
  nameOf,
  nearestFirst,
  type RepositoryFile,
  within,
  withoutComments,
} from '../files.ts';
import { literal } from '../fitting.ts';
import { type Known, type ProgramReader, type ProgramSign, portIn, type Start } from './program.ts';

const CLIENT = /\b(?:psycopg2?(?:-binary|-c|\[\w+\])?|asyncpg|pg8000|databases\[postgresql\]|aiopg|psycopg)\b/i;
const PORTS = [/uvicorn\.run\([^)]{0,500}\bport\s*=\s*(\d{2,5})/, /\.run\([^)]{0,500}\bport\s*=\s*(\d{2,5})/];
/** Where uvicorn, gunicorn and Django listen that are told nothing, and where Flask does by itself. */
const USUAL_PORT = 8000;
const USUAL_PORT_OF_FLASK = 5000;

/** requirements.txt, pyproject.toml or Pipfile: FastAPI, Flask or Django. */
export const pythonProgram: ProgramReader = {
  manifest: /^(?:requirements[\w.-]*\.txt|pyproject\.toml|Pipfile)$/,
  read(manifest, files): ProgramSign | null {
    const folder = folderOf(manifest.path);
    const manifests = files.filter(({ path }) => this.manifest.test(nameOf(path)));
    const requirements = manifests.map(({ content }) => content).join('\n');
    const sources = files.filter(({ path }) => path.endsWith('.py'));
    const text = manifests.find(({ path }) => path.endsWith('.txt'))?.path ?? null;
    const start = startOf(folder, requirements, sources, text);
    if (start === null && !/\b(?:fastapi|flask|django|starlette)\b/i.test(requirements)) return null;
    const client = CLIENT.test(requirements);
    const isFlaskAlone = start?.command[0] === 'flask';
    return {
      name: manifests.map(({ content }) => nameIn(content)).find((name) => name !== null) ?? null,
      start,
      port: portIn(sources, PORTS) ?? (isFlaskAlone ? portOfFlask(sources) : null),
      usualPort: isFlaskAlone ? USUAL_PORT_OF_FLASK : USUAL_PORT,
      portVariables: {},
      client,
      scheme: schemeOf(requirements, sources),
    };
  },
};

/** Of the project, not of where its packages come from: a Pipfile has a `name` of that. */
function nameIn(manifest: string): string | null {
  let section = '';
  for (const line of manifest.split('\n', 1_000)) {
    section = /^\[([\w.]{1,64})\]\s*$/.exec(line)?.[1] ?? (line.startsWith('[') ? '' : section);
    const name = /^name\s*=\s*"([^"]{1,200})"/.exec(line)?.[1];
    if (name !== undefined && /^(?:project|tool\.poetry)$/.test(section)) return name;
  }
  return null;
}

/** SQLAlchemy refuses `postgres://`, and takes the driver from the scheme. */
function schemeOf(requirements: string, sources: readonly RepositoryFile[]): string {
  const written = sources
    .map(({ content }) => /\bpostgresql\+\w+(?=:\/\/)/.exec(content)?.[0])
    .find((each) => each !== undefined);
  if (written !== undefined) return written;
  const isAsync = sources.some(({ content }) => /\bcreate_async_engine\b/.test(content));
  if (/\b(?:sqlalchemy|sqlmodel)\b/i.test(requirements)) {
    if (isAsync && /\basyncpg\b/i.test(requirements)) return 'postgresql+asyncpg';
    if (/\bpsycopg(?:\[|\b)(?!2)/i.test(requirements) && !/psycopg2/i.test(requirements)) return 'postgresql+psycopg';
  }
  return 'postgresql';
}

/** Of an application that is run without being told a port. */
function portOfFlask(sources: readonly RepositoryFile[]): Known<number> | null {
  const file = sources.find((each) => {
    const text = withoutComments(each);
    const call = /\b(?:app|application)\.run(?=\()/.exec(text);
    return call !== null && !/\bport\b/.test(bracketed(text, call.index + call[0].length));
  });
  return file === undefined ? null : { value: USUAL_PORT_OF_FLASK, from: file.path };
}

function startOf(
  folder: string,
  requirements: string,
  sources: readonly RepositoryFile[],
  listed: string | null,
): Start | null {
  const before = listed === null ? 'pip install .' : `pip install -r ${nameOf(listed)}`;
  const isMade = (kind: string) => sources.some(({ content }) => new RegExp(`\\b${kind}\\(`).test(content));
  const made = (kind: string) =>
    sources
      .filter(({ content }) => isMade(kind) && content.length > 0)
      .flatMap((file) => {
        const text = withoutComments(file);
        const variable = new RegExp(`^(\\w+)(?:\\s*:\\s*\\w+)?\\s*=\\s*(?:\\w+\\.)?${kind}\\(`, 'm').exec(text)?.[1];
        const [, called, factory] = /^(\w+)(?:\s*:\s*\w+)?\s*=\s*(\w+)\(/m.exec(text) ?? [];
        const isFactory = (name: string | undefined) =>
          name !== undefined && sources.some(({ content }) => isDefinedWith(content, name, kind));
        const own = /^def\s+(create_app|make_app|get_app\w*|init_app|app_factory)\(/m.exec(text)?.[1];
        if (variable !== undefined) return [{ path: file.path, target: variable, rank: 0 }];
        if (isFactory(factory)) return [{ path: file.path, target: called!, rank: 1 }];
        return isFactory(own) && text.includes(`${kind}(`) ? [{ path: file.path, target: `${own}()`, rank: 2 }] : [];
      })
      .sort((a, b) => a.rank - b.rank)[0];
  const moduleOf = (path: string, from = folder) =>
    literal(within(from, path))
      .replace(/(?:\/__init__)?\.py$/, '')
      .replaceAll('/', '.');
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`, 'i').test(requirements);

  const [manage] = sources.filter(({ path }) => nameOf(path) === 'manage.py').sort(nearestFirst);
  if (manage !== undefined) {
    const site = folderOf(manage.path);
    const wsgi = sources.find(
      ({ path, content }) => nameOf(path) === 'wsgi.py' && isBelow(path, site) && /get_wsgi_application/.test(content),
    );
    if (wsgi !== undefined && isUsed('gunicorn')) {
      const there = site === folder ? [] : ['--chdir', literal(within(folder, site))];
      const command = ['gunicorn', ...there, '--bind', '0.0.0.0:${port}', `${moduleOf(wsgi.path, site)}:application`];
      return { command, from: wsgi.path, before, isSlow: false };
    }
    const script = literal(within(folder, manage.path));
    const command = ['python3', script, 'runserver', '--noreload', '0.0.0.0:${port}'];
    return { command, from: manage.path, before, isSlow: false };
  }
  const fastApi = made('FastAPI') ?? made('Starlette');
  if (fastApi !== undefined) {
    const target = `${moduleOf(fastApi.path)}:${fastApi.target.replace('()', '')}`;
    const factory = fastApi.target.endsWith('()') ? ['--factory'] : [];
    const command = ['uvicorn', target, ...factory, '--host', '0.0.0.0', '--port', '${port}'];
    return { command, from: fastApi.path, before, isSlow: false };
  }
  const flask = made('Flask');
  if (flask === undefined) return null;
  const target = `${moduleOf(flask.path)}:${flask.target}`;
  const command = isUsed('gunicorn')
    ? ['gunicorn', '--bind', '0.0.0.0:${port}', target]
    : ['flask', '--app', target, 'run', '--host', '0.0.0.0', '--port', '${port}'];
  return { command, from: flask.path, before, isSlow: false };
}

/** Whether a file defines a function of that name, and makes an application of that kind. */
function isDefinedWith(content: string, name: string, kind: string): boolean {
  return new RegExp(`^def\\s+${name}\\(`, 'm').test(content) && new RegExp(`\\b${kind}\\(`).test(content);
}
