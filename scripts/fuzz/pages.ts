import { comparisonOf } from '../../src/core/comparison/comparison-of.ts';
import { isOfLaterSchema, readManifest, readSeriesPiece } from '../../src/core/publication/pages-documents.ts';
import { emptyManifest, jsonText, type PublishedRun, withRun } from '../../src/core/publication/pages-files.ts';
import { emptyMonths, monthsOutOfStep, withGone, withStanding } from '../../src/core/publication/pages-state.ts';
import { placeOf } from '../../src/core/publication/place.ts';
import { publishedRecord } from '../../src/core/publication/published-record.ts';
import { specFiles } from '../../src/core/publication/spec-files.ts';
import { UserError } from '../../src/core/user-error.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import type { Kind } from './kind.ts';
import { mutated, mutatedValue, wordsOf } from './mutation.ts';

const FACTS = { specName: 'rest-api', tool: '0.1.0', server: 'https://github.com', repository: 'acme/api' };

/** Manifest and piece on the data branch, which whoever may push there writes; a publication goes on with them. */
export function pagesKind(): Kind {
  const runs = ['20261119-000000-00000a', '20261120-092802-0a1b2c'].map((id, seed) => {
    const record = madeUpRecord({
      id,
      seed,
      rounds: 3,
      cases: [{}, { endpoint: 'pong', invalid: { candidate: 'x' } }],
    });
    return { record: publishedRecord(record, comparisonOf(record)), workflowRun: 7301 + seed };
  });
  const { manifest, piece } = pagesOf(runs);
  const words = wordsOf([piece, manifest].flatMap((text) => text.match(/"[^"]*"/g) ?? []));
  return {
    name: 'pages',
    share: 5,
    input: (random) => {
      const changed = [manifest, piece].map((text) => {
        if (random.below(3) === 0) return text;
        return random.below(4) === 0
          ? mutated(text, words, random)
          : JSON.stringify(mutatedValue(JSON.parse(text), words, random));
      });
      return changed.join('\0');
    },
    read: (input) => {
      const [manifestText = '', pieceText = ''] = input.split('\0');
      isOfLaterSchema(manifestText);
      try {
        const read = readManifest(manifestText, 'manifest.json');
        const paths = [`wrkbench/${read.spec}/series/2026-11.json`];
        monthsOutOfStep(read, specFiles(paths, read.spec));
        const last = { piece: readSeriesPiece(pieceText, '2026-11.json', read), bytes: pieceText.length };
        const grown = withRun(read, last, { ...runs[1]!, workflowRun: null });
        // What is written must be read again.
        readSeriesPiece(grown.written.content, grown.written.file, grown.manifest);
        const standing = withStanding(
          withGone(grown.manifest, [runs[0]!.record.id]),
          specFiles(paths, grown.manifest.spec),
          {
            known: [],
            expired: [],
          },
        );
        emptyMonths(standing);
        readManifest(JSON.stringify(standing), 'manifest.json');
        return true;
      } catch (error) {
        if (error instanceof UserError) return false;
        throw error;
      }
    },
  };
}

/** Texts of the manifest and of its one piece, as one publication after another leaves them. */
function pagesOf(runs: readonly PublishedRun[]): { manifest: string; piece: string } {
  let manifest = emptyManifest(FACTS);
  let piece = '';
  for (const run of runs) {
    const last =
      piece === '' ? null : { piece: readSeriesPiece(piece, 'series/2026-11.json', manifest), bytes: piece.length };
    const grown = withRun(manifest, last, run);
    manifest = grown.manifest;
    piece = grown.written.content;
  }
  const paths = runs.map(
    ({ record: { id, source }, workflowRun }) =>
      placeOf({ specName: FACTS.specName, id, sha: source.sha, workflowRun })!.path,
  );
  const standing = withStanding(manifest, specFiles(paths, FACTS.specName), { known: [], expired: [] });
  return { manifest: jsonText(standing), piece };
}
