import { type Manifest, pieceFile } from '../../src/core/publication/manifest.ts';

/** Of all pieces that the manifest names, from the folder of the spec, the oldest first. */
export function pieceFiles({ months }: Pick<Manifest, 'months'>): string[] {
  return months.flatMap((month) => Array.from({ length: month.pieces }, (_, index) => pieceFile(month, index + 1)));
}
