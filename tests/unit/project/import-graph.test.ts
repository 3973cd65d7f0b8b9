import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { textTemplates } from '../../../scripts/text-templates.mjs';

/** Packages that compute and nothing else: what core may stand on. */
const PURE_PACKAGES = ['zod', 'yaml', 'markdown-table', 'picomatch', 'unified', 'remark-parse', 'remark-gfm', 'mdast'];

/** Folders of core. Each may import from those before it, types included; docs/architecture.md draws them. */
const CORE_FOLDERS = [
  'format',
  'statistics',
  'values',
  'requests',
  'generators',
  'measurement',
  'metrics',
  'config',
  'detection',
  'verification',
  'validity',
  'capacity',
  'record',
  'baseline',
  'comparison',
  'plan',
  'topology',
  'doctor',
  'report',
  'posting',
  'publication',
  'pages',
  'action',
];

/** The same of app, whose single files stand before its other folders than the ports. */
const APP_FOLDERS = ['ports', 'FILE', 'measuring', 'baseline', 'run', 'posting', 'workflow'];

/** File → what it imports, types included: paths of the project, or names of packages. */
async function importGraph(): Promise<Map<string, string[]>> {
  const files = sourceFiles('src');
  const graph = new Map<string, string[]>();
  const { metafile } = await build({
    entryPoints: files,
    outdir: 'nowhere',
    write: false,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    loader: { '.sql': 'text' },
    plugins: [textTemplates],
    external: ['wrkbench:*'],
  });
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    graph.set(file, [...new Set([...imports.map(({ path }) => path), ...typeImports(file)])]);
  }
  return graph;
}

function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** esbuild drops `import type` before it looks: those are read from the text. */
function typeImports(file: string): string[] {
  if (!file.endsWith('.ts') || !existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export) type [^;]*? from '([^']+)'/gms)].map(([, specifier]) =>
    specifier!.startsWith('.') ? new URL(specifier!, `file:///${file}`).pathname.slice(1) : specifier!,
  );
}

function layerOf(path: string): string {
  if (path.startsWith('templates/')) return 'templates';
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? 'package';
}

/** `a → b` for each import that the rule forbids. */
function forbidden(graph: Map<string, string[]>, layer: string, allowed: (imported: string) => boolean): string[] {
  return [...graph]
    .filter(([file]) => layerOf(file) === layer)
    .flatMap(([file, imports]) => imports.filter((path) => !allowed(path)).map((path) => `${file} → ${path}`));
}

function cyclesOf(graph: Map<string, string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, trail: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) if (graph.has(next)) visit(next, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

const graph = await importGraph();

describe('the layers', () => {
  it('are all there', () => {
    expect(new Set([...graph.keys()].map(layerOf))).toEqual(
      new Set(['core', 'app', 'adapters', 'entry', 'site', 'templates']),
    );
    expect([...graph.keys()].filter((file) => layerOf(file) === 'core').length).toBeGreaterThan(10);
  });

  it('core stands on itself and on packages that only compute', () => {
    expect(
      forbidden(graph, 'core', (path) => ['core', 'templates'].includes(layerOf(path)) || PURE_PACKAGES.includes(path)),
    ).toEqual([]);
  });

  it('app knows core and its own ports, not who implements them', () => {
    const allowed = (path: string) => ['core', 'app', 'package'].includes(layerOf(path));
    expect(forbidden(graph, 'app', allowed)).toEqual([]);
  });

  it('adapters know core, each other and the ports, not the verbs', () => {
    const allowed = (path: string) =>
      ['core', 'adapters', 'package'].includes(layerOf(path)) || path.startsWith('src/app/ports/');
    expect(forbidden(graph, 'adapters', allowed)).toEqual([]);
  });

  it('the page knows core alone', () => {
    expect(forbidden(graph, 'site', (path) => ['core', 'site', 'package'].includes(layerOf(path)))).toEqual([]);
  });

  it('nobody below imports an entry', () => {
    const importers = [...graph].flatMap(([file, imports]) =>
      imports
        .filter((path) => layerOf(path) === 'entry' && layerOf(file) !== 'entry')
        .map((path) => `${file} → ${path}`),
    );
    expect(importers).toEqual([]);
  });

  it('have no cycle of files', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });
});

/** Imports from a folder into one that comes after it in the order. */
function backwards(order: string[], folderOf: (path: string) => string | null): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const own = folderOf(file);
    if (own === null) return [];
    return imports.flatMap((path) => {
      const imported = folderOf(path);
      return imported !== null && order.indexOf(imported) > order.indexOf(own) ? [`${file} → ${path}`] : [];
    });
  });
}

describe('the folders of app', () => {
  const folderOf = (path: string) => {
    const [, folder, name] = /^src\/app\/(?:([^/]+)\/)?(.+)$/.exec(path) ?? [];
    return name === undefined ? null : (folder ?? 'FILE');
  };

  it('are those that have an order', () => {
    const found = new Set([...graph.keys()].flatMap((file) => folderOf(file) ?? []));
    expect([...found].sort()).toEqual([...APP_FOLDERS].sort());
  });

  it('import from those before them alone', () => {
    expect(backwards(APP_FOLDERS, folderOf)).toEqual([]);
  });
});

describe('the folders of adapters', () => {
  it('import from each other in no circle', () => {
    const folderOf = (path: string) => /^src\/adapters\/[^/]+/.exec(path)?.[0] ?? null;
    const folders = new Map<string, string[]>();
    for (const [file, imports] of graph) {
      const own = folderOf(file);
      if (own === null) continue;
      const others = imports.flatMap((path) => folderOf(path) ?? []).filter((folder) => folder !== own);
      folders.set(own, [...(folders.get(own) ?? []), ...others]);
    }
    expect(folders.size).toBeGreaterThan(10);
    expect(cyclesOf(folders)).toEqual([]);
  });
});

describe('the folders of core', () => {
  const folderOf = (path: string) => /^src\/core\/([^/]+)\//.exec(path)?.[1] ?? null;

  it('are those that have an order', () => {
    const found = new Set([...graph.keys()].flatMap((file) => folderOf(file) ?? []));
    expect([...found].sort()).toEqual([...CORE_FOLDERS].sort());
  });

  it('import from those before them alone', () => {
    expect(backwards(CORE_FOLDERS, folderOf)).toEqual([]);
  });

  it('are drawn in this order by the architecture page', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const drawn = [...page.matchAll(/^\| `core\/([a-z]+)` \|/gm)].map(([, folder]) => folder);
    expect(drawn).toEqual(CORE_FOLDERS);
  });
});

describe('core', () => {
  it.each([
    ['Math.random', /\bMath\.random\b/],
    ['Date.now', /\bDate\.now\b/],
    ['new Date() without an argument', /\bnew Date\(\s*\)/],
    ['performance', /\bperformance\.now\b/],
    ['node modules', /from '(?:node:|fs'|path'|os')/],
  ])('has no %s', (_name, pattern) => {
    const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const found = sourceFiles('src/core').filter((file) => pattern.test(withoutComments(readFileSync(file, 'utf8'))));
    expect(found).toEqual([]);
  });
});
