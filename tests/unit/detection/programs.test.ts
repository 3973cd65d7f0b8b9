import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import type { Program } from '../../../src/core/detection/programs/program.ts';
import { programsOf } from '../../../src/core/detection/programs/programs.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';

const programs = (files: Record<string, string>) =>
  programsOf(Object.entries(files).map(([path, content]) => ({ path, content })));
const programOf = (files: Record<string, string>): Program => programs(files)[0]!;

describe('the port of a Node.js server', () => {
  const node = (files: Record<string, string>) =>
    programOf({
      'package.json': '{"scripts": {"start": "node server.js"}, "dependencies": {"express": "5"}}',
      ...files,
    }).port;

  it('is what it listens on, whatever another file says of its database', () => {
    expect(
      node({
        'src/app.module.ts': `TypeOrmModule.forRoot({ type: 'postgres', host: 'localhost', port: 5432 })`,
        'src/main.ts': 'const app = await NestFactory.create(AppModule);\nawait app.listen(3000);',
      }),
    ).toEqual({ value: 3000, from: 'src/main.ts' });
  });

  it('is what it listens on, whatever the same file says of its database', () => {
    const pool = 'const pool = new Pool({ host: process.env.DB_HOST, port: process.env.DB_PORT || 5432 });';
    expect(node({ 'server.js': `${pool}\napp.listen(3000);` })?.value).toBe(3000);
    expect(node({ 'server.js': `${pool}\nconst port = 3001;\napp.listen(port);` })?.value).toBe(3001);
    expect(node({ 'server.js': `${pool}\nfastify.listen({ host: '0.0.0.0', port: 3002 });` })?.value).toBe(3002);
  });

  it.each([
    ['db.js', 'new Pool({ port: 5432 })'],
    ['db.js', 'const port = 5433;\nnew Pool({ port })'],
    ['server.js', 'new Pool({ port: 5432 });\napp.listen(process.env.PORT);'],
    ['vite.config.js', 'export default { server: { port: 5173 } };'],
  ])('is not known where only something else has one: %s with %s', (path, content) => {
    expect(node({ 'server.js': 'app.listen(process.env.PORT);', [path]: content })).toBeNull();
  });

  it.each([
    ['serve({ fetch: app.fetch, port: 4001 });', 4001],
    ['export default { port: 4002, fetch: app.fetch };', 4002],
    ['const server = Hapi.server({ port: 4003, host: "localhost" });', 4003],
    ['createServer(answer).listen({ port: Number(process.env.HTTP_PORT) || 4004 });', 4004],
    ['startStandaloneServer(apollo, { listen: { port: 4007 } });', 4007],
    ['const options = { port: 4005 };\nserver.listen(options);', 4005],
    ['const port: number = 4006;\napp.listen(port);', 4006],
  ])('is that of %s', (content, port) => {
    expect(node({ 'server.ts': content })?.value).toBe(port);
  });
});

describe('the command of Django', () => {
  const site = (folder: string, requirements: string) => ({
    'requirements.txt': requirements,
    [`${folder}manage.py`]: 'execute_from_command_line(sys.argv)',
    [`${folder}mysite/wsgi.py`]: 'application = get_wsgi_application()',
  });
  const startOf = (files: Record<string, string>) => {
    const { command, from } = programOf(files).start!;
    return [command.join(' '), from];
  };

  it('is run beside its manage.py', () => {
    expect(startOf(site('', 'django'))).toEqual([
      'python3 manage.py runserver --noreload 0.0.0.0:${port}',
      'manage.py',
    ]);
    expect(startOf(site('', 'django\ngunicorn'))).toEqual([
      'gunicorn --bind 0.0.0.0:${port} mysite.wsgi:application',
      'mysite/wsgi.py',
    ]);
  });

  it('names the folder of its manage.py where that lies below the requirements', () => {
    expect(startOf(site('mysite/', 'django'))).toEqual([
      'python3 mysite/manage.py runserver --noreload 0.0.0.0:${port}',
      'mysite/manage.py',
    ]);
    expect(startOf(site('mysite/', 'django\ngunicorn'))).toEqual([
      'gunicorn --chdir mysite --bind 0.0.0.0:${port} mysite.wsgi:application',
      'mysite/mysite/wsgi.py',
    ]);
    expect(
      startOf({ ...site('web/site/', 'django'), 'web/requirements.txt': 'django', 'requirements.txt': '' })[0],
    ).toBe('python3 site/manage.py runserver --noreload 0.0.0.0:${port}');
  });

  it('is that of the manage.py which is nearest', () => {
    const files = {
      'a/b/manage.py': '',
      'a/b/c/wsgi.py': 'get_wsgi_application()',
      ...site('mysite/', 'django\ngunicorn'),
    };
    expect(startOf(files)[0]).toBe('gunicorn --chdir mysite --bind 0.0.0.0:${port} mysite.wsgi:application');
  });

  it('is that of manage.py where its settings for WSGI lie elsewhere', () => {
    const files = {
      ...site('mysite/', 'django\ngunicorn'),
      'mysite/mysite/wsgi.py': '',
      'deploy/wsgi.py': 'get_wsgi_application()',
    };
    expect(startOf(files)[0]).toBe('python3 mysite/manage.py runserver --noreload 0.0.0.0:${port}');
  });
});

describe('a workspace of Rust', () => {
  const workspace = {
    'Cargo.toml': `[workspace]
members = ["crates/api"]

[workspace.dependencies]
axum = "0.8"
sqlx = { version = "0.8", features = ["postgres"] }
`,
    'crates/api/Cargo.toml': `[package]
name = "api"

[dependencies]
axum.workspace = true
sqlx = { workspace = true }
`,
    'crates/api/src/main.rs': `async fn main() {
    let pool = PgPoolOptions::new().connect(&url).await?;
    let app = Router::new().route("/ping", get(ping));
    let listener = TcpListener::bind("0.0.0.0:7000").await?;
}
`,
  };

  it('is no server itself: its member is', () => {
    expect(programs(workspace).map(({ folder, name, port }) => [folder, name, port?.value])).toEqual([
      ['crates/api', 'api', 7000],
    ]);
  });

  it('may name the features of what its member uses: the code of that names Postgres', () => {
    expect(programOf(workspace).client).toBe('crates/api/Cargo.toml');
    const mysql = { ...workspace, 'crates/api/src/main.rs': 'let pool = MySqlPool::connect(&url).await?;' };
    expect(programOf(mysql).client).toBeNull();
  });

  it('that is a package, too, is a server', () => {
    const both = { 'Cargo.toml': '[workspace]\n\n[package]\nname = "api"\n\n[dependencies]\naxum = "0.8"\n' };
    expect(programs(both).map(({ name }) => name)).toEqual(['api']);
  });

  it('has the routes of its member where a Dockerfile at its root builds it', () => {
    const files = { ...workspace, Dockerfile: 'FROM rust\nCOPY . .\nRUN cargo build --release\nCMD ["api"]\n' };
    const [spec] = proposal(
      Object.entries(files).map(([path, content]) => ({ path, content })),
      { folderName: 'shop', isSecret: () => false },
    ).specs;
    const { services, endpoints, database } = readSpec(spec!.content, spec!.path);
    expect(services).toMatchObject([{ name: 'api', port: 7000, image: { context: '.', dockerfile: 'Dockerfile' } }]);
    expect(endpoints.map(({ path }) => path)).toEqual(['/ping']);
    expect(database?.image).toBe('postgres:18');
  });
});

describe('a program that runs in a browser', () => {
  const started = (dependencies: object) => {
    const content = JSON.stringify({ name: 'front', scripts: { start: 'ng serve' }, dependencies });
    return programsOf([{ path: 'front/package.json', content }]).map(({ folder }) => folder);
  };

  it('is no server, whatever its start script serves it by', () => {
    expect(started({ '@angular/core': '20' })).toEqual([]);
    expect(started({ 'react-dom': '19' })).toEqual([]);
  });

  it('is one where something renders it', () => {
    expect(started({ 'react-dom': '19', next: '16' })).toEqual(['front']);
    expect(started({})).toEqual(['front']);
  });
});

describe('the name of a program in Python', () => {
  it('is that of its project, and none of where its packages come from', () => {
    const server = { path: 'app.py', content: 'app = Flask(__name__)\n' };
    const source = '[[source]]\nname = "pypi"\n\n[packages]\nflask = "*"\n';
    expect(programsOf([server, { path: 'Pipfile', content: source }]).map(({ name }) => name)).toEqual([null]);
    const project = '[build-system]\nname = "x"\n\n[project]\nname = "shop"\ndependencies = ["flask"]\n';
    expect(programsOf([server, { path: 'pyproject.toml', content: project }]).map(({ name }) => name)).toEqual([
      'shop',
    ]);
  });
});
