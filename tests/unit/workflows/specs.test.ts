import { describe, expect, it } from 'vitest';
import type { CheckoutFiles } from '../../../src/app/ports/checkout-files.ts';
import { specsIn } from '../../../src/app/workflow/specs.ts';

const spec = (name: string, more = '') =>
  `name: ${name}\nservices: {go: {build: {context: app}, port: 8080}}\nendpoints: {ping: {path: /ping}}\nload: {preset: quick}\n${more}`;

function files(texts: Record<string, string>, links: string[] = []): CheckoutFiles {
  return {
    list: async () => Object.keys(texts),
    text: async (path) => texts[path] ?? null,
    kind: async (path) => (texts[path] === undefined ? null : 'file'),
    staysInside: async (path) => !links.some((link) => path === link || path.startsWith(`${link}/`)),
  };
}

describe('the specs that the inputs name', () => {
  it('are those of the paths, and of what globs fit, each once', async () => {
    const given = files({
      'wrkbench.yml': spec('a'),
      'bench/b.yml': spec('b'),
      'bench/c.yml': spec('c'),
      'README.md': '',
    });
    for (const glob of ['bench/*.yml', 'bench/{b,c}.yml'])
      expect((await specsIn([glob], given)).specs.map((each) => each.path)).toEqual(['bench/b.yml', 'bench/c.yml']);
    const { specs } = await specsIn(['bench/*.yml', 'wrkbench.yml', 'bench/b.yml'], given);
    expect(specs.map((each) => [each.path, each.spec.name])).toEqual([
      ['bench/b.yml', 'b'],
      ['bench/c.yml', 'c'],
      ['wrkbench.yml', 'a'],
    ]);
  });

  it('name SQL files by globs, in the folder of each', async () => {
    const database = 'database: {init: [migrations/*.sql, seed.sql]}\n';
    const sql = ['db/migrations/10_c.sql', 'db/migrations/9_b.sql', 'migrations/1_a.sql', 'db/other.sql'];
    const texts = { 'wrkbench.yml': spec('a', database), 'db/wrkbench.yml': spec('b', database) };
    const given = files({ ...texts, ...Object.fromEntries(sql.map((path) => [path, ''])) });
    const { specs } = await specsIn(['wrkbench.yml', 'db/wrkbench.yml'], given);
    expect(specs.map((each) => each.spec.database?.init)).toEqual([
      ['migrations/1_a.sql', 'seed.sql'],
      ['migrations/9_b.sql', 'migrations/10_c.sql', 'seed.sql'],
    ]);
  });

  it('keep the right ones where others have mistakes, and all of those at once', async () => {
    const given = files({ 'a.yml': spec('a', 'gat: {}'), 'b.yml': spec('b'), 'c.yml': 'name: [' });
    const { specs, diagnostics, lost } = await specsIn(['*.yml'], given);
    expect(specs.map((each) => each.path)).toEqual(['b.yml']);
    // Of `c.yml` nobody knows whose status would wait for it.
    expect(lost).toEqual([{ specName: 'a', why: expect.stringMatching(/^a\.yml:5:1: unknown key `gat`/) }]);
    expect([...new Set(diagnostics.map(({ file }) => file))]).toEqual(['a.yml', 'c.yml']);
    expect(diagnostics[0]).toMatchObject({ file: 'a.yml', line: 5, column: 1 });
  });

  it('have names of their own', async () => {
    const { specs, errors } = await specsIn(['*.yml'], files({ 'a.yml': spec('x'), 'b.yml': spec('x') }));
    expect(specs).toHaveLength(1);
    expect(errors).toEqual(['b.yml and a.yml are both named x: each spec has a name of its own.']);
  });

  it('lead nowhere out of the checkout', async () => {
    const given = files({ 'deep/wrkbench.yml': spec('a') }, ['deep/app']);
    const { specs, errors } = await specsIn(['deep/wrkbench.yml'], given);
    expect(specs).toEqual([]);
    expect(errors).toEqual([
      'deep/wrkbench.yml names app, app/Dockerfile, which leads out of the checkout by a link: not measured.',
    ]);
  });

  it('are asked for where there is none', async () => {
    await expect(specsIn(['nothing/*.yml'], files({}))).rejects.toThrow(
      'The checkout has no file nothing/*.yml. Name the spec with the input spec',
    );
    const { errors } = await specsIn(['wrkbench.yml'], files({}));
    expect(errors).toEqual(['The checkout has no file wrkbench.yml, or it is a link to elsewhere.']);
  });
});
