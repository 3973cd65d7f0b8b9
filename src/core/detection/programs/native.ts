import { folderOf, within } from '../files.ts';
import { literal } from '../fitting.ts';
import { type ProgramReader, type ProgramSign, portIn } from './program.ts';
import { rustSettings } from './rust-settings.ts';

const GO_PORTS = [
  /"PORT"[^\n]{0,60}?"?:?(\d{4,5})"/,
  /\bport\s*:?=\s*":?(\d{4,5})"/,
  /(?:ListenAndServe|\.Run|\.Start|\.Listen|Addr:)\s*\(?\s*"[\w.]*:(\d{2,5})"/,
  /"(?:0\.0\.0\.0|localhost|127\.0\.0\.1)?:(\d{4,5})"/,
];

/** go.mod: the one main package, or the one that is called as a server is. */
export const goProgram: ProgramReader = {
  manifest: /^go\.mod$/,
  read(manifest, files): ProgramSign | null {
    const folder = folderOf(manifest.path);
    const sources = files.filter(({ path }) => path.endsWith('.go'));
    const mains = sources.filter(({ content }) => /^package main\b/m.test(content) && /^func main\(\)/m.test(content));
    const folders = mains.map(({ path }) => within(folder, folderOf(path)));
    const serving = /(?:^|\/)(?:server|api|web|http|app|service)[\w-]*$/;
    const main =
      folders.find((each) => each === '.') ?? folders.find((each) => serving.test(each)) ?? folders[0] ?? '.';
    // A module whose code was not seen may still be a server; one that has code and no main is a library.
    if (mains.length === 0 && sources.length > 0) return null;
    const direct = manifest.content.replaceAll(/^.*\/\/ indirect$/gm, '');
    const module = /^module\s+(\S+)/m.exec(manifest.content)?.[1];
    const text = sources.map(({ content }) => content).join('\n');
    return {
      name:
        module
          ?.replace(/\/v\d+$/, '')
          .split('/')
          .at(-1) ?? null,
      start: {
        command: ['go', 'run', main === '.' ? '.' : literal(`./${main}`)],
        from: mains.find(({ path }) => within(folder, folderOf(path)) === main)?.path ?? manifest.path,
        before: null,
        isSlow: true,
      },
      port: portIn(sources, GO_PORTS) ?? (/\bgin\./.test(text) ? { value: 8080, from: manifest.path } : null),
      portVariables: /"PORT"/.test(text) || /\.Run\(\)/.test(text) ? { PORT: '${port}' } : {},
      client: /github\.com\/(?:jackc\/pg|lib\/pq|go-pg\/)|gorm\.io\/driver\/postgres/.test(direct),
    };
  },
};

const RUST_PORTS = [
  /"PORT"[^;]{0,120}?(?:\b|")(\d{4,5})\b/,
  /"(?:0\.0\.0\.0|127\.0\.0\.1|localhost):(\d{2,5})"/,
  /\(\s*\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]\s*,\s*(\d{2,5})\s*\)/,
  /\.bind\(\s*\(\s*"[^"]*"\s*,\s*(\d{2,5})/,
];

/** Cargo.toml of a package with axum, actix-web and their like. A workspace without one starts nothing. */
export const rustProgram: ProgramReader = {
  manifest: /^Cargo\.toml$/,
  read({ path, content }, files): ProgramSign | null {
    if (!/^[ \t]*\[package\]/m.test(content)) return null;
    if (!/^[ \t]*(?:axum|actix-web|rocket|warp|poem|hyper|salvo)\b/m.test(content)) return null;
    const sources = files.filter((file) => file.path.endsWith('.rs'));
    const text = sources.map((file) => file.content).join('\n');
    const settings = rustSettings(sources, files);
    return {
      name: /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(content)?.[1] ?? null,
      start: {
        command: ['cargo', 'run', '--release'],
        from: path,
        before: null,
        isSlow: true,
        build: ['cargo', 'build', '--release'],
      },
      port: settings?.port ?? portIn(sources, RUST_PORTS),
      databaseVariables: settings?.databaseVariables ?? {},
      variables: settings?.variables ?? [],
      portVariables: /"PORT"/.test(text) ? { PORT: '${port}' } : {},
      client:
        /^[ \t]*(?:sqlx|tokio-postgres|deadpool-postgres|diesel|sea-orm)\b.*$/m.test(content) &&
        // The features of a dependency may stand in the Cargo.toml of the workspace.
        (/postgres/.test(content) || /postgres|\bPg(?:Pool|Connection)/.test(text)),
    };
  },
};
