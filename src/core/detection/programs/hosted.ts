import { folderOf, isBelow, nameOf, type RepositoryFile, withoutComments } from '../files.ts';
import { type ProgramReader, type ProgramSign, portIn } from './program.ts';

/** A project of ASP.NET. */
export const aspnetProgram: ProgramReader = {
  manifest: /\.csproj$/,
  read({ path, content }, files): ProgramSign | null {
    if (!/Microsoft\.NET\.Sdk\.Web/.test(content)) return null;
    const own = files.filter((file) => isBelow(file.path, folderOf(path)));
    const settings = own.filter((file) => /^appsettings\.json$/.test(nameOf(file.path)));
    const names = settings.flatMap((file) => {
      const strings = /"ConnectionStrings"\s*:\s*\{([^}]{0,5000})\}/.exec(file.content)?.[1] ?? '';
      return [...strings.matchAll(/"(\w+)"\s*:\s*"[^"]*\b(?:Host|Server)=/gi)].map(([, name]) => name!);
    });
    const connection =
      'Host=${database.host};Port=${database.port};Database=${database.name};Username=${database.user};Password=${database.password}';
    const client = /Npgsql/.test(content);
    return {
      name: nameOf(path).replace(/\.csproj$/, ''),
      start: {
        command: ['dotnet', 'run', '--configuration', 'Release', '--no-launch-profile'],
        from: path,
        before: null,
        isSlow: true,
      },
      port: portIn(
        own.filter((file) => nameOf(file.path) === 'launchSettings.json'),
        [/http:\/\/[\w.*+]+:(\d{2,5})/],
      ) ?? { value: 8080, from: path },
      portVariables: { ASPNETCORE_URLS: 'http://0.0.0.0:${port}' },
      client,
      databaseVariables: client
        ? Object.fromEntries(names.map((name) => [`ConnectionStrings__${name}`, connection]))
        : {},
    };
  },
};

/** Gemfile of Rails. */
export const railsProgram: ProgramReader = {
  manifest: /^Gemfile$/,
  read({ path, content }, files): ProgramSign | null {
    if (!/^[ \t]*gem\s+["']rails["']/m.test(content)) return null;
    const puma = files.filter((file) => /(?:^|\/)config\/puma\.rb$/.test(file.path)).map(withText);
    return {
      name: null,
      start: {
        command: ['bin/rails', 'server', '--environment', 'production', '--binding', '0.0.0.0', '--port', '${port}'],
        from: path,
        before: 'bundle install && bin/rails db:prepare',
        isSlow: false,
      },
      port: portIn(puma, [/"PORT"[^\n]*?(\d{4,5})/]) ?? { value: 3000, from: path },
      portVariables: {},
      client: /^[ \t]*gem\s+["']pg["']/m.test(content),
      databaseVariables: { DATABASE_URL: '${database.url}' },
    };
  },
};

function withText(file: RepositoryFile): RepositoryFile {
  return { path: file.path, content: withoutComments(file) };
}

/** composer.json of Laravel. */
export const laravelProgram: ProgramReader = {
  manifest: /^composer\.json$/,
  read({ path, content }, files): ProgramSign | null {
    if (!/"laravel\/framework"/.test(content)) return null;
    const examples = files.filter((file) => /^\.env\.example$/.test(nameOf(file.path)));
    const client =
      examples.some((file) => /^[ \t]*DB_CONNECTION=pgsql/m.test(file.content)) ||
      /"ext-pdo_pgsql"|"ext-pgsql"/.test(content);
    return {
      name: /"name"\s*:\s*"[^"/]*\/([^"]+)"/.exec(content)?.[1] ?? null,
      start: {
        command: ['php', 'artisan', 'serve', '--host', '0.0.0.0', '--port', '${port}'],
        from: path,
        before: 'composer install && php artisan migrate',
        isSlow: false,
      },
      port: { value: 8000, from: path },
      portVariables: {},
      client,
      readsEveryVariable: true,
      databaseVariables: {
        DB_CONNECTION: 'pgsql',
        DB_HOST: '${database.host}',
        DB_PORT: '${database.port}',
        DB_DATABASE: '${database.name}',
        DB_USERNAME: '${database.user}',
        DB_PASSWORD: '${database.password}',
      },
    };
  },
};
