import { describe, expect, it } from 'vitest';
import { manifestSchema } from '../../../../../src/core/publication/manifest.ts';
import { rawText } from '../../../../../src/core/publication/raw-text.ts';
import { seriesPieceSchema } from '../../../../../src/core/publication/series-piece.ts';
import { pageManifestSchema, pagePieceSchema, pageTextsSchema } from '../../../../../src/site/pages/data/schemas.ts';
import { madeUpPages } from '../../../../support/made-up/pages.ts';

const files = madeUpPages({ runs: 4, endpoints: ['ping'] });
const manifest: unknown = JSON.parse(files.get('manifest.json')!);
const piece: unknown = JSON.parse(files.get('series/2026-07.json')!);

const WRONG: unknown[] = [undefined, null, -1, 0.5, 'x', true, [], {}, [null], ['x'], [1.5], [-1], { a: 1 }];

/** Every way to put something else in place of one thing of it; of a list, in place of its first two. */
function spoilt(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const inner = value.slice(0, 2).flatMap((each, at) => spoilt(each).map((other) => value.with(at, other)));
    return [...WRONG, ...inner];
  }
  if (typeof value !== 'object' || value === null) return WRONG;
  const inner = Object.entries(value).flatMap(([key, each]) =>
    spoilt(each).map((other) => {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      return other === undefined ? rest : { ...rest, [key]: other };
    }),
  );
  return [...WRONG, ...inner];
}

describe('the schemas of a page', () => {
  it('say the same of a manifest as those that write it', () => {
    expect(pageManifestSchema.safeParse(manifest).data).toEqual(manifestSchema.parse(manifest));
    const all = spoilt(manifest);
    expect(all.length).toBeGreaterThan(500);
    const unlike = all.filter(
      (each) =>
        pageManifestSchema.safeParse(each).success !== manifestSchema.safeParse(each).success &&
        !namesUnknownTool(each),
    );
    expect(unlike).toEqual([]);
  });

  it('read what the generators of a run printed, and nothing else', () => {
    const texts = JSON.parse(rawText('20261120-092802-0a1b2c', [{ path: 'raw/a.txt', text: 'Running' }])!);
    expect(pageTextsSchema.safeParse(texts).data).toEqual(texts);
    // Another run's, other names and more or fewer of them are texts all the same.
    const read = spoilt(texts).filter((each) => pageTextsSchema.safeParse(each).success);
    const same = [{ run: 'x' }, { files: {} }, { files: {} }, { files: { 'raw/a.txt': 'x' } }, { leftOut: [] }];
    expect(read).toEqual(same.map((each) => ({ ...texts, ...each })));
  });

  it('say the same of a piece', () => {
    expect(pagePieceSchema.safeParse(piece).data).toEqual(seriesPieceSchema.parse(piece));
    const all = spoilt(piece);
    expect(all.length).toBeGreaterThan(500);
    const unlike = all.filter(
      (each) => pagePieceSchema.safeParse(each).success !== seriesPieceSchema.safeParse(each).success,
    );
    expect(unlike).toEqual([]);
  });
});

/** The one difference: a generator of a later wrkbench is a name. */
function namesUnknownTool(manifest: unknown): boolean {
  return JSON.stringify(manifest).includes('"generator":"x"');
}
