import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Rows of the table in docs/architecture.md: what is new, and the paths that its other cells name. */
const rows = new Map(
  section('docs/architecture.md', 'Where a new thing goes')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:new|---) /.test(line))
    .map((line) => {
      const [, name = '', places = '', registries = ''] = line.split('|').map((cell) => cell.trim());
      return [name, { places: pathsIn(places), registries: pathsIn(registries) }] as const;
    }),
);

function section(file: string, title: string): string {
  return readFileSync(file, 'utf8').split(`## ${title}\n`)[1]!.split('\n## ')[0]!;
}

/** `core/…` is below `src`; what has no folder is at the top. */
function pathsIn(cell: string): string[] {
  const named = [...cell.matchAll(/`([\w/.-]+(?:\.\w+|\/))`/g)].map(([, path]) => path!);
  return named.map((path) => (path.includes('/') ? `src/${path}` : path));
}

/** Files of the project that a file imports, types included. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, specifier]) =>
    join(dirname(file), specifier!),
  );
}

/** What lies at a place whose `NAME` may be any, without what every one of them stands on. */
function foundAt(place: string, others: readonly string[] = []): string[] {
  const [before = '', after] = place.replace(/\/$/, '').split('NAME');
  if (after === undefined) return existsSync(before) ? [before] : [];
  const folder = before.replace(/[^/]*$/, '');
  const start = before.slice(folder.length);
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => (after.startsWith('/') ? `${folder}${name}${after}` : `${folder}${name}`))
    .filter((path) => path.endsWith(after) && existsSync(path) && !others.some((other) => path.endsWith(other)));
}

describe('where a new thing goes', () => {
  it('is told of each kind', () => {
    expect([...rows.keys()]).toEqual([
      'generator',
      'section of the spec',
      'metric',
      'rule of which case gates a metric',
      'way to a baseline',
      'reason for invalid',
      'report format',
      'view of the published pages',
      'task of the action',
      'input of the action',
      "way to a generator's program",
      'forge',
      'runtime',
    ]);
  });

  it.each([...rows])('%s: what the row names is there', (_, { places, registries }) => {
    for (const path of [...places, ...registries]) expect(foundAt(path), path).not.toEqual([]);
    expect(places.length).toBeGreaterThan(0);
  });

  it.each([
    ['metric', ['definition.ts', 'registry.ts']],
    ['way to a baseline', []],
    ['task of the action', []],
    ['forge', []],
    ['runtime', []],
  ])('%s: each one that there is stands in the registry', (name, others) => {
    const { places, registries } = rows.get(name)!;
    const registered = registries.filter((file) => file.endsWith('.ts')).flatMap(importsOf);
    const found = places.flatMap((place) => foundAt(place, others));
    expect(found.length).toBeGreaterThan(0);
    for (const file of found) expect(registered).toContain(file);
  });

  it('generator: each folder stands in the registry', () => {
    const { places, registries } = rows.get('generator')!;
    const folders = foundAt(places[0]!, ['.ts']);
    expect(folders.length).toBeGreaterThan(3);
    const registered = importsOf(registries[0]!);
    for (const folder of folders) expect(registered).toContain(`${folder}/definition.ts`);
  });

  it('report format: each that the registry has is a file or a folder beside it', () => {
    const [registry = ''] = rows.get('report format')!.registries;
    const formats = importsOf(registry).filter((file) => file.startsWith('src/core/report/'));
    expect(formats.length).toBeGreaterThan(4);
    for (const file of formats) expect(existsSync(file), file).toBe(true);
  });

  it('view of the published pages: each folder is loaded by a line of its own, when it is wanted', () => {
    const { places, registries } = rows.get('view of the published pages')!;
    const folders = foundAt(places[0]!, ['parts', 'registry.ts']);
    expect(folders.length).toBeGreaterThan(3);
    const registry = readFileSync(registries[0]!, 'utf8');
    for (const folder of folders) {
      const name = basename(folder);
      expect(registry).toMatch(new RegExp(`name: '${name}',[^}]*await loadedPart\\(import\\('\\./${name}/`));
    }
  });

  it('input of the action: each is read by the name that it has there', () => {
    const { places, registries } = rows.get('input of the action')!;
    const [, inputs = ''] = /^inputs:\n((?: .*\n|\n)+)/m.exec(readFileSync(places[0]!, 'utf8')) ?? [];
    const names = [...inputs.matchAll(/^ {2}([\w-]+):/gm)];
    const code = readFileSync(registries[0]!, 'utf8');
    expect(names.length).toBeGreaterThan(10);
    for (const [, name] of names) expect(code).toContain(`'${name}'`);
  });

  it("way to a generator's program: stands in its list", () => {
    expect(readFileSync(rows.get("way to a generator's program")!.places[0]!, 'utf8')).toMatch(/\bWAYS\b.* = \[/);
  });
});
