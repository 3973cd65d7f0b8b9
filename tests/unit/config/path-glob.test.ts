import { describe, expect, it } from 'vitest';
import { isPathGlob, pathFilter } from '../../../src/core/config/path-glob.ts';

describe('the files that globs mean, as GitHub has them', () => {
  it.each([
    ['a star stays within a folder', ['src/*'], 'src/server.ts', 'src/deep/server.ts'],
    ['two stars do not', ['src/**'], 'src/deep/server.ts', 'docs/src.md'],
    ['two stars and a name are that name in any folder', ['**/go.mod'], 'services/api/go.mod', 'services/api/go.sum'],
    ['files that begin with a dot are files', ['.github/**'], '.github/workflows/a.yml', 'github/a.yml'],
    ['the last that fits decides', ['src/**', '!src/**/*.md'], 'src/a.ts', 'src/a.md'],
    ['braces are either, unlike there', ['{src,lib}/**'], 'lib/deep/a.ts', 'docs/a.ts'],
    ['braces after a ! as well', ['**', '!{a,b}.ts'], 'c.ts', 'b.ts'],
    ['braces without a comma are text', ['app/{id}.ts'], 'app/{id}.ts', 'app/id.ts'],
  ])('%s', (_, globs, meant, other) => {
    expect(pathFilter(globs)(meant)).toBe(true);
    expect(pathFilter(globs)(other)).toBe(false);
  });
});

it.each([
  ['wrkbench.yml', false],
  ['bench/{id}.yml', false],
  ['bench/*.yml', true],
  ['bench/{shop,blog}.yml', true],
])('whether %s may mean several files: %s', (pattern, is) => expect(isPathGlob(pattern)).toBe(is));
