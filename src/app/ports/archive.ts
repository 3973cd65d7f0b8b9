/** Files in a zip that may come from anybody. */
export interface ArchiveReader {
  /**
   * The text of one file; null where the archive has none of that name. Throws `UnreadableArchive` where it is no zip, or
   * the file is longer than `most` bytes, whatever the archive says of its length. Nothing is written anywhere.
   */
  text(archive: Uint8Array, name: string, most: number): string | null;
  /**
   * The texts of several files, read in one pass: of those that are UTF-8, as many as have `most` bytes together, in the order
   * of the archive. Throws `UnreadableArchive` where it is no zip.
   */
  texts(archive: Uint8Array, names: ReadonlySet<string>, most: number): Map<string, string>;
}

export class UnreadableArchive extends Error {
  override name = 'UnreadableArchive';
}
