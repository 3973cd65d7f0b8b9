import { describe, expect, it } from 'vitest';
import { withMissingFiles } from '../../../src/app/doctor.ts';
import { missingFiles } from '../../../src/app/missing-files.ts';
import { validateWithFiles } from '../../../src/app/validate.ts';
import type { FoundKind } from '../../../src/core/config/named-files.ts';

const SPEC = `name: api
services:
  go: {build: ., port: 8080}
  rust:
    build: {context: app, dockerfile: docker/Prod}
    port: 8081
  node: {command: [node, server.js], working-directory: web, port: 8082}
database: {init: [sql/schema.sql, sql/data.sql]}
gateway: {kind: nginx, config: own.conf}
endpoints: {ping: /ping}
load: {wrk: {script: ping.lua}, k6: {script: ping.js}}
`;

const WHOLE: Record<string, 'file' | 'folder'> = {
  '.': 'folder',
  Dockerfile: 'file',
  app: 'folder',
  'app/docker/Prod': 'file',
  web: 'folder',
  'sql/schema.sql': 'file',
  'sql/data.sql': 'file',
  'own.conf': 'file',
  'ping.lua': 'file',
  'ping.js': 'file',
};

const folderOf = (there: Record<string, FoundKind>) => ({
  kind: async (path: string) => there[path] ?? null,
  list: async () => Object.keys(there),
});

function without(...names: string[]) {
  return folderOf(Object.fromEntries(Object.entries(WHOLE).filter(([name]) => !names.includes(name))));
}

async function diagnosticLines(text: string, files: ReturnType<typeof folderOf>): Promise<string[]> {
  const found = await missingFiles(text, 'wrkbench.yml', files);
  return found.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

describe('what a spec names', () => {
  it('is there in a whole folder', async () => {
    expect(await diagnosticLines(SPEC, folderOf(WHOLE))).toEqual([]);
    expect((await validateWithFiles(SPEC, 'wrkbench.yml', folderOf(WHOLE))).ok).toBe(true);
  });

  it('is there where one SQL file fits a glob', async () => {
    const spec = SPEC.replace('[sql/schema.sql, sql/data.sql]', '"sql/*.sql"');
    expect(await diagnosticLines(spec, folderOf(WHOLE))).toEqual([]);
    expect(await diagnosticLines(spec, without('sql/schema.sql', 'sql/data.sql'))).toEqual([
      '8:18: database.init names `sql/*.sql`, and no file matches it: paths are relative to the folder of the spec',
    ]);
  });

  it.each([
    ['Dockerfile', '3:15: services.go.build has no file `Dockerfile`: write one, or name another with `dockerfile`'],
    [
      'app',
      '5:22: services.rust.build.context names `app`, and there is no such folder: paths are relative to the folder of the spec',
    ],
    [
      'app/docker/Prod',
      '5:39: services.rust.build.dockerfile names `app/docker/Prod`, and there is no such file: paths are relative to the folder of the spec',
    ],
    [
      'web',
      '7:57: services.node.working-directory names `web`, and there is no such folder: paths are relative to the folder of the spec',
    ],
    [
      'sql/data.sql',
      '8:35: database.init.1 names `sql/data.sql`, and there is no such file: paths are relative to the folder of the spec',
    ],
    [
      'own.conf',
      '9:32: gateway.config names `own.conf`, and there is no such file: paths are relative to the folder of the spec',
    ],
    [
      'ping.js',
      '11:46: load.k6.script names `ping.js`, and there is no such file: paths are relative to the folder of the spec',
    ],
    [
      'ping.lua',
      '11:22: load.wrk.script names `ping.lua`, and there is no such file: paths are relative to the folder of the spec',
    ],
  ])('is told of where it is missing: %s', async (name, sentence) => {
    expect(await diagnosticLines(SPEC, without(name))).toEqual([sentence]);
  });

  it('is told of where something else lies there', async () => {
    expect(await diagnosticLines(SPEC, folderOf({ ...WHOLE, 'sql/schema.sql': 'folder', app: 'file' }))).toEqual([
      '5:22: services.rust.build.context names `app`, and that is a file, not a folder: paths are relative to the folder of the spec',
      '8:19: database.init.0 names `sql/schema.sql`, and that is a folder, not a file: paths are relative to the folder of the spec',
    ]);
  });

  it('makes a spec invalid, beside its other errors and in the order of the file', async () => {
    const wrong = SPEC.replace('port: 8081', 'port: 80810');
    const { ok, text, json } = await validateWithFiles(wrong, 'wrkbench.yml', without('Dockerfile', 'sql/schema.sql'));
    expect(ok).toBe(false);
    expect(text).toContain('  3 |   go: {build: ., port: 8080}\n    |               ^\n');
    expect(text).toContain('\n3 errors in wrkbench.yml\n');
    expect(json).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'missing-file', line: 3 },
        { code: 'wrong-value', line: 6 },
        { code: 'missing-file', line: 8 },
      ],
    });
  });

  it.each([
    ['outside', 'a link leads from there out of the repository, which is not followed'],
    ['special', 'that is a pipe, a device or a socket, not a file'],
  ] as const)('is refused where it is %s', async (kind, state) => {
    const names = ['Dockerfile', 'sql/schema.sql', 'own.conf', 'ping.js'];
    const files = folderOf({ ...WHOLE, ...Object.fromEntries(names.map((name) => [name, kind])) });
    expect(await diagnosticLines(SPEC, files)).toEqual([
      `3:15: services.go.build names \`Dockerfile\`, and ${state}`,
      `8:19: database.init.0 names \`sql/schema.sql\`, and ${state}`,
      `9:32: gateway.config names \`own.conf\`, and ${state}`,
      `11:46: load.k6.script names \`ping.js\`, and ${state}`,
    ]);
  });

  it('is missed by a script that reads what is not beside it', async () => {
    const texts: Record<string, string> = {
      'ping.lua': 'for l in io.lines("paths.txt") do end',
      'ping.js': "open('./users.json')",
    };
    const scripts = {
      content: async (path: string) => new TextEncoder().encode(texts[path]),
      isFile: async () => false,
      list: async () => [],
    };
    const { ok, json } = await validateWithFiles(SPEC, 'wrkbench.yml', folderOf(WHOLE), undefined, scripts);
    expect(ok).toBe(false);
    expect(json).toMatchObject({
      diagnostics: [
        { message: 'load.wrk.script: `ping.lua` reads `paths.txt`, and there is no such file beside it', line: 11 },
        { message: 'load.k6.script: `ping.js` reads `./users.json`, and there is no such file beside it', line: 11 },
      ],
    });
  });

  it('is not looked for where a path is none, which is another error', async () => {
    const outside = SPEC.replace('context: app', 'context: ../app').replace('ping.js', '3').replace('ping.lua', '../x');
    expect(await diagnosticLines(outside, folderOf(WHOLE))).toEqual([]);
    expect(await diagnosticLines('name: [', folderOf({}))).toEqual([]);
  });

  it('is a problem for doctor, as far as the runtime needs it', async () => {
    const empty = folderOf({});
    const machine = { ok: true, runtime: 'process' as const, findings: [] };
    const report = withMissingFiles(machine, await missingFiles(SPEC, 'wrkbench.yml', empty, 'process'));
    expect(report.ok).toBe(false);
    expect(report.findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)).toEqual([
      'problem spec-files: wrkbench.yml:7: services.node.working-directory names `web`, and there is no such folder: paths are relative to the folder of the spec.',
      'problem spec-files: wrkbench.yml:8: database.init.0 names `sql/schema.sql`, and there is no such file: paths are relative to the folder of the spec.',
      'problem spec-files: wrkbench.yml:8: database.init.1 names `sql/data.sql`, and there is no such file: paths are relative to the folder of the spec.',
      'problem spec-files: wrkbench.yml:9: gateway.config names `own.conf`, and there is no such file: paths are relative to the folder of the spec.',
      'problem spec-files: wrkbench.yml:11: load.wrk.script names `ping.lua`, and there is no such file: paths are relative to the folder of the spec.',
      'problem spec-files: wrkbench.yml:11: load.k6.script names `ping.js`, and there is no such file: paths are relative to the folder of the spec.',
    ]);
    const ofContainers = await missingFiles(SPEC, 'wrkbench.yml', empty, 'docker');
    expect(ofContainers.map(({ path }) => path)).toEqual([
      'services.go.build',
      'services.rust.build.context',
      'database.init.0',
      'database.init.1',
      'gateway.config',
      'load.wrk.script',
      'load.k6.script',
    ]);
    expect(withMissingFiles(machine, [])).toEqual(machine);
  });
});
