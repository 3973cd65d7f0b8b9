import { readDocument } from '../record/document.ts';
import { UserError } from '../user-error.ts';
import { type Manifest, manifestSchema, pagesSchemaVersion } from './manifest.ts';
import { type SeriesPiece, seriesPieceSchema } from './series-piece.ts';

/** A file of the pages is not what it should be; the message is one sentence for a person. */
export class UnreadablePages extends UserError {
  override name = 'UnreadablePages';
}

/** Bytes. Ours are some 40 KB. */
export const mostPagesBytes = 4 * 1024 * 1024;

const kind = {
  written: 'wrkbench writes to the data branch',
  cutOff: '`wrkbench publish --rebuild` makes it anew from the runs',
  version: pagesSchemaVersion,
  maxLength: mostPagesBytes,
  refusal: UnreadablePages,
};

/** Throws `UnreadablePages`, and nothing else. */
export function readManifest(text: string, fileName: string): Manifest {
  return readDocument(text, fileName, {
    ...kind,
    noun: 'manifest of pages',
    fileName: 'manifest.json',
    schema: manifestSchema,
  });
}

/** As `readManifest`. What it names in the manifest, and in itself, is there. */
export function readSeriesPiece(
  text: string,
  fileName: string,
  { cases, metrics }: Pick<Manifest, 'cases' | 'metrics'>,
): SeriesPiece {
  const piece = readDocument(text, fileName, {
    ...kind,
    noun: 'piece of series',
    fileName: 'series/2026-11.json',
    schema: seriesPieceSchema,
  });
  const { runs, cpus, accepted, series } = piece;
  const number = runs.id.length;
  const uneven = [
    ...Object.entries(runs).map(([name, column]) => [`runs.${name}`, column] as const),
    ...Object.entries(series).flatMap(([name, columns]) =>
      Object.entries(columns).map(([own, column]) => [`series.${name}.${own}`, column] as const),
    ),
  ].find(([, column]) => (typeof column === 'string' || Array.isArray(column)) && column.length !== number);
  if (uneven !== undefined) refuse(`${uneven[0]} has not one place for each of its ${number} runs`);
  if (runs.cpu.some((place) => place >= cpus.length)) refuse('a run names a CPU that is not there');
  if (accepted.some(({ run }) => run >= number)) refuse('`accepted` names a run that is not there');
  const unknown = Object.keys(series).find((name) => {
    const [, ofCase, ofMetric] = /^(\d{1,6})\.(\d{1,6})$/.exec(name) ?? [];
    return ofMetric === undefined || Number(ofCase) >= cases.length || Number(ofMetric) >= metrics.length;
  });
  if (unknown !== undefined) refuse(`the manifest has no series ${JSON.stringify(unknown.slice(0, 40))}`);
  return piece;

  function refuse(why: string): never {
    throw new UnreadablePages(`${fileName} is not a piece of series: ${why}.`);
  }
}

/** Whether a later wrkbench made it, in a way that this one does not know. */
export function isOfLaterSchema(text: string): boolean {
  try {
    const version: unknown = (JSON.parse(text) as { schemaVersion?: unknown } | null)?.schemaVersion;
    return typeof version === 'number' && version > pagesSchemaVersion;
  } catch {
    return false;
  }
}
