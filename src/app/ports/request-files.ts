/** Files of the checkout that requests are made of; their paths are relative to the folder of the spec. */
export interface RequestFiles {
  /** Rejects with `UnusableRequests` where there is none, or it may not be read. */
  read(file: string, mostBytes: number): Promise<Uint8Array>;
  /** The same, with files of another folder, absolute, in place of those that it has as well. */
  firstIn(folder: string): RequestFiles;
}
